export const style = `
:root{color-scheme:light dark;--paper:#fdfcfa;--raised:#f4f2ec;--ink:#1f2328;--quiet:#57606a;--line:#d9d5cb;--link:#0b57a4;--accent:#9a5b00;--concept:#0b57a4;--connection:#8a3ffc;--answer:#0f7b4f}
@media(prefers-color-scheme:dark){:root{--paper:#16181c;--raised:#202329;--ink:#e6e4df;--quiet:#a3a9b3;--line:#363b44;--link:#8ab8ff;--accent:#f0b35a;--concept:#8ab8ff;--connection:#c9a5ff;--answer:#6fd6a6}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
header,main,footer{max-width:46rem;margin:0 auto;padding:0 1.25rem}
nav{padding:1rem 0 .75rem;border-bottom:1px solid var(--line)}
nav a{margin-right:1rem;color:var(--quiet);text-decoration:none;padding:.25rem 0;display:inline-block}
nav a:hover{text-decoration:underline}
nav .home{font-weight:650;color:var(--ink)}
footer{margin-top:3rem}
footer p{padding:1rem 0 2rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.875rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--raised);padding:.5rem .75rem;z-index:1}
main:focus{outline:none}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;margin:2rem 0 .6rem}
h1{font-size:1.75rem;margin-top:1.5rem}
h2{font-size:1.25rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1.0625rem}
p,ul,ol,blockquote,pre{margin:.6rem 0}
ul,ol{padding-left:1.35rem}
li{margin:.3rem 0}
li::marker{color:var(--quiet)}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--raised);padding:.1em .3em;border-radius:3px}
pre{background:var(--raised);padding:.75rem 1rem;border-radius:6px;overflow-x:auto}
pre code{background:none;padding:0}
blockquote{margin-left:0;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--line);color:var(--quiet)}
blockquote p{margin:.35rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;min-width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
.facts{color:var(--quiet);font-size:.9375rem;margin:.25rem 0 1rem}
.kind{display:inline-block;font-size:.8125rem;line-height:1.4;padding:0 .45rem;border:1px solid currentColor;border-radius:1rem;color:var(--quiet)}
.kind.concept{color:var(--concept)}.kind.connection{color:var(--connection)}.kind.answer{color:var(--answer)}
.list{list-style:none;padding:0}
.list>li{margin:0;padding:.6rem 0;border-bottom:1px solid var(--line)}
.list>li[hidden]{display:none}
.list .about{display:block;color:var(--quiet);font-size:.9375rem}
.list a{font-weight:550}
.days{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.days li{margin:0}
.find{margin:1.25rem 0}
.find label{display:block;font-size:.875rem;color:var(--quiet);margin-bottom:.25rem}
.find input{width:100%;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--quiet);border-radius:6px;padding:.5rem .75rem}
.find p{color:var(--quiet);font-size:.875rem;min-height:1.4em;margin:.25rem 0}
.memory{padding:.75rem 0;border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 8rem}
.memory:target{background:var(--raised);box-shadow:0 0 0 .75rem var(--raised)}
.memory p{white-space:pre-line}
.memory .facts{margin:.25rem 0 0}
.mark{color:var(--accent)}
details{margin:1rem 0}
summary{cursor:pointer;padding:.25rem 0}
.graph{margin:1.5rem 0}
.graph svg{width:100%;height:auto;background:var(--raised);border-radius:8px}
.graph figcaption{color:var(--quiet);font-size:.875rem}
.graph line{stroke:var(--quiet);stroke-opacity:.35}
.graph circle{stroke:var(--raised);stroke-width:1.5;fill:var(--quiet)}
.graph .concept circle{fill:var(--concept)}.graph .connection circle{fill:var(--connection)}.graph .answer circle{fill:var(--answer)}.graph .day circle{fill:var(--quiet)}
.graph text{fill:var(--ink);font-size:13px;paint-order:stroke;stroke:var(--raised);stroke-width:3px}
.graph .centre text{font-weight:650}
.graph a{text-decoration:none}
@media(max-width:34rem){body{font-size:1rem}header,main,footer{padding-left:1rem;padding-right:1rem}h1{font-size:1.5rem}.graph text{font-size:22px}.graph .minor{display:none}}
@media print{header,footer,.find,.graph{display:none}body{background:none;color:#000}}
`.trim()

/** Filters the lists of the index by the beginnings of words. Runs in the browser. */
export const searchScript = `
(function () {
  var form = document.querySelector('.find'), input = document.getElementById('find'), found = document.getElementById('found')
  var items = Array.from(document.querySelectorAll('[data-find]')), groups = Array.from(document.querySelectorAll('.group, details'))
  var open = groups.map(function (group) { return group.open })
  function has(text, word) {
    for (var at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (at === 0 || !/[\\p{L}\\p{N}]/u.test(text[at - 1])) return true
    return false
  }
  function narrow() {
    var words = input.value.toLowerCase().split(/\\s+/).filter(Boolean), count = 0
    items.forEach(function (item) {
      var text = item.getAttribute('data-find')
      item.hidden = !words.every(function (word) { return has(text, word) })
      if (!item.hidden) count++
    })
    groups.forEach(function (group, at) {
      group.hidden = words.length > 0 && !group.querySelector('[data-find]:not([hidden])')
      if ('open' in group) group.open = words.length > 0 ? !group.hidden : open[at]
    })
    found.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing is found.' : count === 1 ? 'One is found.' : count + ' are found.'
  }
  form.hidden = false
  input.addEventListener('input', narrow)
  document.addEventListener('keydown', function (event) {
    if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus() }
    if (event.key === 'Escape' && document.activeElement === input) { input.value = ''; narrow() }
  })
  narrow()
})()
`.trim()
