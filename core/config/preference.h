/* config/preference.h - the arms that are asked, in this order, where nobody names any: those of this system. */
#ifndef CONFIG_PREFERENCE_H
#define CONFIG_PREFERENCE_H

#define PREFERENCE "namespaces, landlock, copytree"

#endif
