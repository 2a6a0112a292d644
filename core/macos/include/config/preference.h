/* config/preference.h - the arms that are asked on macOS, in this order, where nobody names any. */
#ifndef CONFIG_PREFERENCE_H
#define CONFIG_PREFERENCE_H

#define PREFERENCE "seatbelt, copytree"

#endif
