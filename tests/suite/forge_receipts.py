"""tests/suite/forge_receipts.py DIRECTORY - of its receipt, ones with markup in every member, wrong types, or members missing."""
import copy, json, sys

place = sys.argv[1]
receipt = json.load(open(place + "/receipt"))
evil = "</pre><script>alert(1)</script>\u202e\u0007\ufeff"


def bad(value, instead):
    if isinstance(value, dict):
        return {key: bad(item, instead) for key, item in value.items()}
    if isinstance(value, list):
        return [bad(item, instead) for item in value] + [instead]
    return instead


receipt["denials"] = [evil, {"what" + evil: evil, "count": 3}, 7, None]
receipt["arm"]["promises"][evil] = {"kept": False, "note": evil}
receipt["relaxations"] = [{"construct": evil, "why": evil}]
forged = []
for instead in (evil, 7, -1e308, None, [], {}, [evil], {"text": evil}, True):
    one = bad(receipt, instead)
    one["kind"] = "run"
    forged.append(one)
    for key in receipt:
        one = copy.deepcopy(receipt)
        one[key] = instead
        if key != "kind":
            forged.append(one)
for i, one in enumerate(forged):
    json.dump(one, open(f"{place}/forged-{i}", "w"))
