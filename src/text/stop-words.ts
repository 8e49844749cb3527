/** Words that stand in every text. Both the index and questions are without them. */
export const stopWords = new Set(
  `a about after again all also am an and any are aren as at be because been before being but by can could couldn d did
  didn do does doesn doing don done down for from had hadn has hasn have haven having he her here hers him his how i if in
  into is isn it its just let ll m may me might mine must mustn my no nor not now of off on once only or other our ours
  out over own please re s same shall she should shouldn so some such t than that the their theirs them then there these
  they this those through to too under until up us ve very was wasn we were weren what when where which while who whom
  why will with won would wouldn yet you your yours`.split(/\s+/),
)
