// The game's own words for what is on the table: faces, zones, fields. They come with the facts of
// a position; nothing here knows which game it is.
//   const names = useNames(doc)
//   names.face("a"), names.zone("castle"), names.field("f1"): words, or the name itself

import { useEffect, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { t } from "../base/words.js";

const NOTHING = { faces: {}, zones: {}, fields: {} };

export function useNames(doc) {
  const [known, setKnown] = useState(NOTHING);
  useEffect(() => {
    let gone = false;
    ask("/api/judge/position").then(told => {
      if (!gone && told.ok) setKnown(collected(told.facts));
    }, () => {});
    return () => { gone = true; };
  }, [doc && doc.match]);
  const seats = Object.fromEntries((doc ? doc.lines : []).map(line => [line.zone, line.player || line.name]));
  return {
    face: label => known.faces[label] || label,
    zone: name => name == null ? t("beside every zone") : seats[name] || known.zones[name] || name,
    field: name => name == null ? t("on no field") : known.fields[name] || name,
  };
}

function collected(facts) {
  const found = { faces: {}, zones: {}, fields: {} };
  for (const fact of facts) {
    if (fact.zone) {
      Object.assign(found.faces, Object.fromEntries(fact.options));
      found.zones[fact.zone] = fact.words;
    }
    if (fact.colour) Object.assign(found.fields, Object.fromEntries(fact.options));
  }
  return found;
}
