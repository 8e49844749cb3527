// Words of questions that do not name their subject.

/** Words that say what a question asks for, not what it is about: "root cause of", "what did we decide about". */
export const askingWords =
  'root cause causes caused reason culprit explanation diagnosis fix fixed fixes solution solve solved workaround resolve decide decided decision agree agreed agreement policy convention rule problem issue bug happen happened wrong broke break get rid remedy repair choose chose pick prefer settle settled'

/** Words that say little about the subject of a question. */
export const ordinaryWords = `able actually add allow almost already although always another appear around ask available away back bad become
  begin best better big bit both break bring came case cause change check choose clear come complete contain
  correct create current decide different easy either else end enough even ever every everything example expect
  explain fact far few find finish first fix follow general get give go good great happen hard hear help idea
  important include instead keep kind know last lately later least leave less like likely little long look lot
  main make many mean mention might mind more most move much must name nearly need never new next nothing occur often old
  part perhaps possible probably problem put question quite rather reach real really reason recent recently right
  say see seem several short show similar simple since small someone something soon sort start still stop such
  support sure take talk tell thing think time together told tried true try turn type use used usual usually very
  want way well whether whole without wonder work wrong class code command component file function line method
  module option package project repository script`
