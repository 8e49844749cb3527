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
