import { describe, expect, it } from 'vitest'
import { readProgram } from './read.ts'

describe('readProgram', () => {
  it.each([
    ['JSON in a call', 'const r = await tools.exec_command({"cmd":"npm test"}); text(r.output)', ['npm test']],
    ['no semicolon', 'const r = await tools.exec_command({cmd:"ls"})\ntext(r.output)\n', ['ls']],
    ['single quotes', 'await tools.shell_command({command: \'echo "a"\'})', ['echo "a"']],
    ['a template', 'await tools.exec_command({cmd: `cat <<EOF\nx\nEOF`})', ['cat <<EOF\nx\nEOF']],
    ['escapes', String.raw`await tools.exec_command({cmd: "a\tb\x41\u{42}\u0043\"\\"})`, ['a\tbABC"\\']],
    ['texts put together', `await tools.exec_command({cmd: "npm " + "run" + \` \${"lint"}\`})`, ['npm run lint']],
    ['lines put together', 'await tools.exec_command({cmd: ["a", "b"].join("\\n")})', ['a\nb']],
    ['a name', 'const cmd = "make"; const workdir = "/w"; await tools.exec_command({cmd, workdir})', ['make']],
    ['a name that is added to', 'let cmd = "make"; cmd += " all"; await tools.exec_command({cmd})', ['make all']],
    ['a comment', '// @exec: {"yield_time_ms": 1}\nawait tools.exec_command({cmd: "ls" /* all */})', ['ls']],
    [
      'a text that looks like a call',
      'await tools.exec_command({cmd: "echo tools.exec_command({cmd:1})"})',
      ['echo tools.exec_command({cmd:1})'],
    ],
    [
      'several at once',
      'await Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})])',
      ['a', 'b'],
    ],
    ['a loop over a list', 'for (const c of ["a", "b"]) await tools.exec_command({cmd: c})', ['a', 'b']],
    [
      'a counted loop',
      'const c = ["a", "b"]; for (let i = 0; i < c.length; i++) { await tools.exec_command({cmd: c[i]}) }',
      ['a', 'b'],
    ],
    [
      'a list of pairs',
      'for (const [name, cmd] of [["x", "a"], ["y", "b"]]) { await tools.exec_command({cmd}) }',
      ['a', 'b'],
    ],
    [
      'a map',
      'await Promise.all(["a", "b"].map(async (f) => { const r = await tools.exec_command({cmd: "cat " + f}); return r }))',
      ['cat a', 'cat b'],
    ],
    [
      'a function',
      'const run = (cmd, dir = "/w") => tools.exec_command({cmd}); await run("a"); await run("b")',
      ['a', 'b'],
    ],
    ['an attempt', 'try { await tools.exec_command({cmd: "a"}) } catch (e) { text(String(e)) }', ['a']],
  ])('reads %s', (_, source, commands) => {
    const { calls, isWhole } = readProgram(source)
    expect(
      calls.map(
        ({ input }) => (input as { cmd?: string; command?: string }).cmd ?? (input as { command: string }).command,
      ),
    ).toEqual(commands)
    expect(isWhole).toBe(true)
  })

  it.each([
    ['a condition', 'await tools.exec_command({cmd:"a"}); if (ok) await tools.exec_command({cmd:"b"})', ['a']],
    ['another branch', 'if (ok) text("x"); else { await tools.exec_command({cmd:"b"}) }', []],
    ['a short circuit', 'ok && await tools.exec_command({cmd:"b"})', []],
    ['a choice', 'await (ok ? tools.exec_command({cmd:"a"}) : tools.exec_command({cmd:"b"}))', []],
    ['rounds that are not known', 'for (const c of load("x")) await tools.exec_command({cmd: "a"})', []],
    [
      'a loop that may end',
      'for (const c of ["a","b"]) { const r = await tools.exec_command({cmd:c}); if (r.exit_code) break }',
      ['a'],
    ],
    ['a program that may end', 'if (x) exit(); await tools.exec_command({cmd:"a"})', []],
    [
      'a command that is not known',
      'const r = await tools.exec_command({cmd:"ls"}); await tools.exec_command({cmd: r.output})',
      ['ls'],
    ],
    ['a failure', 'try { f() } catch { await tools.exec_command({cmd:"b"}) }', []],
  ])('does not take for sure what depends on %s', (_, source, commands) => {
    const { calls, isWhole } = readProgram(source)
    expect(calls.map(({ input }) => (input as { cmd: string }).cmd)).toEqual(commands)
    expect(isWhole).toBe(false)
  })

  it('reads other tools, and leaves out fields that are not known', () => {
    const { calls } = readProgram(`
      const patch = "*** Begin Patch\\n*** End Patch";
      const r = await tools.apply_patch(patch);
      await tools.update_plan({plan: [{step: "one", status: "completed"}]});
      await tools.write_stdin({session_id: r.session_id, chars: "\\u0003"});
      await tools.mcp__almanac__ask({day: 3, deep: {list: [1, true, null]}});`)
    expect(calls).toEqual([
      { tool: 'apply_patch', input: { input: '*** Begin Patch\n*** End Patch' } },
      { tool: 'update_plan', input: { plan: [{ step: 'one', status: 'completed' }] } },
      { tool: 'write_stdin', input: { chars: '\u0003' } },
      { tool: 'mcp__almanac__ask', input: { day: 3, deep: { list: [1, true, null] } } },
    ])
  })

  const both = 'const [a, b] = await Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})]);'
  const all = 'const all = await Promise.allSettled([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})]);'

  it.each([
    ['outputs', `${both} text(a.output); text("and"); text(b.output)`, [[0], [], [1]]],
    ['a loop', `${all} for (const r of all) text(r.value.output)`, [[0], [1]]],
    ['each of a list', `${all} all.forEach((r, i) => text({i, ...r}))`, [[0], [1]]],
    ['a list', `${all} text(JSON.stringify(all))`, [[0, 1]]],
    ['one text', `${both} text(a.output + b.output)`, [[0, 1]]],
    [
      'a list that grows',
      'const l = []; for (const cmd of ["a","b"]) l.push(await tools.exec_command({cmd})); l.forEach(r => text(r.output))',
      [[0], [1]],
    ],
    ['a condition', `${both} if (a.output) text(a.output)`, undefined],
  ])('tells what is printed by %s', (_, source, printed) => {
    expect(readProgram(source).prints?.map(({ calls }) => calls)).toEqual(printed)
  })

  it.each([
    [`text(\`exit=\${r.exit_code}\\n\${r.output}\`)`, { after: 'exit=', isFirst: true }],
    ['text(r.output + "\\nEXIT " + r.exit_code)', { after: '\nEXIT ', isFirst: false }],
    ['text(r.exit_code)', { after: '', isFirst: true }],
    [`text(\`\${r.output}\${r.exit_code}\`)`, undefined],
  ])('tells where the exit code is printed: %s', (print, exit) => {
    expect(readProgram(`const r = await tools.exec_command({cmd:"a"}); ${print}`).prints?.[0]?.exit).toEqual(exit)
  })

  it.each([
    ['nothing', ''],
    ['no program', 'npm test && git push'],
    ['lists without end', '['.repeat(500_000)],
    ['calls without end', 'f('.repeat(300_000)],
    ['a string without end', `tools.exec_command({cmd: "${'a'.repeat(900_000)}`],
    ['substitutions without end', '`${'.repeat(300_000)],
    ['comments without end', '/*'.repeat(400_000)],
    ['patterns without end', '(/['.repeat(300_000)],
    ['escapes', `"${'\\'.repeat(900_001)}`],
    ['functions in functions', 'f(x=>{'.repeat(100_000)],
    ['a function that calls itself', 'function f() { f() } f()'],
    ['loops in loops', `${'for (const a of [1,2,3,4,5,6,7,8,9]) '.repeat(30)}text(a)`],
    ['lists of lists', `let a = [1]; ${'a = [a, a]; '.repeat(100)} text(a)`],
    ['a text that doubles', `let a = "ab"; ${'a += a; '.repeat(100)} text(a)`],
    ['branches', 'if (a) {} else '.repeat(50_000)],
    ['closing brackets', '})]'.repeat(200_000)],
    ['a mebibyte of semicolons', ';'.repeat(1_048_576)],
  ])('ends with %s', (_, source) => {
    expect(readProgram(source).calls).toEqual([])
  })

  it('keeps what came before the part that is too much', () => {
    expect(readProgram(`await tools.exec_command({cmd:"a"}); f(${'['.repeat(1000)}`)).toEqual({
      calls: [{ tool: 'exec_command', input: { cmd: 'a' } }],
      prints: undefined,
      isWhole: false,
    })
  })
})
