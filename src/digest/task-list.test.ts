import { describe, expect, it } from 'vitest'
import type { Event, Json } from '../core/session.ts'
import { foldTasks, isOpen, type Task } from './task-list.ts'

type Part = Pick<Event, 'kind'> & Partial<Event>

const call = (tool: string, input: Json, id = 'c1'): Part => ({ kind: 'tool_call', tool, input, call: id })
const result = (tool: string, text: string, id = 'c1'): Part => ({ kind: 'tool_result', tool, text, call: id })

/** The list as `status: text`. */
function listAfter(...parts: Part[]): string[] {
  const tasks = parts.reduce<Task[]>((list, part) => foldTasks(list, { text: '', ...part }), [])
  return tasks.map(({ text, status }) => `${status}: ${text}`)
}

const tides = ['completed: Read the tables', 'in_progress: Draw the curve', 'pending: Add the moon']

describe('a list that is written whole', () => {
  it.each<[agent: string, tool: string, input: Json]>([
    [
      'Claude Code',
      'TodoWrite',
      {
        todos: [
          { content: 'Read the tables', status: 'completed', activeForm: 'Reading the tables' },
          { content: 'Draw the curve', status: 'in_progress', activeForm: 'Drawing the curve' },
          { content: 'Add the moon', status: 'pending', activeForm: 'Adding the moon' },
        ],
      },
    ],
    [
      'Codex',
      'update_plan',
      {
        explanation: 'The tables are read.',
        plan: [
          { step: 'Read the tables', status: 'completed' },
          { step: 'Draw the curve', status: 'in_progress' },
          { step: 'Add the moon', status: 'pending' },
        ],
      },
    ],
    [
      'Gemini CLI',
      'write_todos',
      {
        todos: [
          { description: 'Read the tables', status: 'completed' },
          { description: 'Draw the curve', status: 'in_progress' },
          { description: 'Add the moon', status: 'pending' },
        ],
      },
    ],
    [
      'OpenCode',
      'todowrite',
      {
        todos: [
          { id: '1', content: 'Read the tables', status: 'completed', priority: 'high' },
          { id: '2', content: 'Draw the curve', status: 'in_progress', priority: 'high' },
          { id: '3', content: 'Add the moon', status: 'pending', priority: 'low' },
        ],
      },
    ],
    [
      'Qwen Code',
      'todo_write',
      {
        todos: [
          { id: '1', content: 'Read the tables', status: 'completed' },
          { id: '2', content: 'Draw the curve', status: 'in_progress' },
          { id: '3', content: 'Add the moon', status: 'pending' },
        ],
      },
    ],
    [
      'Copilot in VS Code',
      'manage_todo_list',
      {
        operation: 'write',
        todoList: [
          { id: 1, title: 'Read the tables', description: 'All of the harbour', status: 'completed' },
          { id: 2, title: 'Draw the curve', description: 'As SVG', status: 'in-progress' },
          { id: 3, title: 'Add the moon', description: 'Its phase', status: 'not-started' },
        ],
      },
    ],
    [
      'Kimi',
      'SetTodoList',
      {
        todos: [
          { title: 'Read the tables', status: 'Done' },
          { title: 'Draw the curve', status: 'In Progress' },
          { title: 'Add the moon', status: 'Pending' },
        ],
      },
    ],
    ['Copilot CLI', 'update_todo', { todos: '- [x] Read the tables\n- [~] Draw the curve\n- [ ] Add the moon' }],
    ['Roo Code', 'update_todo_list', { todos: '[x] Read the tables\n[-] Draw the curve\n[ ] Add the moon' }],
    [
      'Cline, with any call',
      'read_file',
      { path: 'a.ts', task_progress: '# Tides\n- [X] Read the tables\n- [-] Draw the curve\n- [ ] Add the moon' },
    ],
    [
      'Droid',
      'TodoWrite',
      { todos: '1. [completed] Read the tables\n2. [in_progress] Draw the curve\n3. [pending] Add the moon' },
    ],
    ['Goose', 'todo__todo_write', { content: '* [x] Read the tables\n* [-] Draw the curve\n* [ ] Add the moon' }],
  ])('by %s', (_, tool, input) => expect(listAfter(call(tool, input))).toEqual(tides))

  it('replaces the one before, also by none', () => {
    const before = call('TodoWrite', { todos: [{ content: 'Read the tables', status: 'pending' }] })
    expect(listAfter(before, call('TodoWrite', { todos: [{ content: 'Rest', status: 'pending' }] }))).toEqual([
      'pending: Rest',
    ])
    expect(listAfter(before, call('TodoWrite', { todos: [] }))).toEqual([])
  })

  it('is changed in part where the agent merges', () => {
    const written = call('TodoWrite', {
      merge: false,
      todos: [
        { id: 'a', content: 'Read the tables', status: 'TODO_STATUS_IN_PROGRESS' },
        { id: 'b', content: 'Add the moon', status: 'TODO_STATUS_PENDING' },
      ],
    })
    const merged = call('TodoWrite', { merge: true, todos: [{ id: 'a', status: 'completed' }] })
    expect(listAfter(written, merged)).toEqual(['completed: Read the tables', 'pending: Add the moon'])
  })

  it.each<[what: string, tool: string, input: Json]>([
    ['a plan in prose', 'ExitPlanMode', { plan: '# Tides\n- [ ] Draw the curve' }],
    ['a file with a checklist', 'Write', { file_path: 'README.md', content: '- [ ] Draw the curve' }],
    ['the tasks of another tool', 'schedule', { tasks: ['Draw the curve'] }],
    ['a list that is only read', 'todo', { action: 'read' }],
  ])('is not %s', (_, tool, input) => {
    const before = call('TodoWrite', { todos: [{ content: 'Read the tables', status: 'pending' }] })
    expect(listAfter(before, call(tool, input))).toEqual(['pending: Read the tables'])
  })
})

describe('single tasks', () => {
  it('are created and updated by the number that the result prints', () =>
    expect(
      listAfter(
        call('TaskCreate', { subject: 'Read the tables', description: 'All of the harbour' }, 'c1'),
        call('TaskCreate', { subject: 'Draw the curve', description: 'As SVG' }, 'c2'),
        result('TaskCreate', 'Task #7 created successfully: Read the tables', 'c1'),
        result('TaskCreate', 'Task #8 created successfully: Draw the curve', 'c2'),
        call('TaskUpdate', { taskId: '7', status: 'completed' }),
        call('TaskUpdate', { taskId: '8', status: 'in_progress', activeForm: 'Drawing' }),
        call('TaskUpdate', { taskId: '8', addBlockedBy: ['7'] }),
      ),
    ).toEqual(['completed: Read the tables', 'in_progress: Draw the curve']))

  it('are dropped if they could not be created, and not open once they are deleted', () => {
    expect(
      listAfter(call('TaskCreate', { subject: 'Draw the curve' }), {
        ...result('TaskCreate', 'denied'),
        error: 'denied',
      }),
    ).toEqual([])
    const created = [
      call('TaskCreate', { subject: 'Draw' }),
      result('TaskCreate', 'Task #1 created successfully: Draw'),
    ]
    const tasks = [...created, call('TaskUpdate', { taskId: '1', status: 'deleted' })]
    expect(listAfter(...tasks)).toEqual(['cancelled: Draw'])
    expect(isOpen({ id: '1', text: 'Draw', status: 'cancelled' })).toBe(false)
  })

  it('are known from the printed list where an earlier session created them', () =>
    expect(
      listAfter(
        result('TaskList', '#1 [completed] Read the tables\n#2 [pending] Draw the curve [blocked by #1]'),
        call('TaskUpdate', { taskId: '2', status: 'in_progress' }),
      ),
    ).toEqual(['completed: Read the tables', 'in_progress: Draw the curve']))

  it('are completed by their number in Kiro', () =>
    expect(
      listAfter(
        call('todo_list', {
          command: 'create',
          tasks: [{ task_description: 'Read the tables' }, { task_description: 'Draw the curve' }],
        }),
        call('todo_list', { command: 'complete', completed_task_ids: ['1'], context_update: 'Read.' }),
      ),
    ).toEqual(['completed: Read the tables', 'pending: Draw the curve']))

  it('are created and updated by one tool in Pi', () =>
    expect(
      listAfter(
        call('todo', { action: 'create', subject: 'Draw the curve' }),
        result('todo', 'Created #1: Draw the curve'),
        call('todo', { action: 'update', id: 1, status: 'completed' }),
      ),
    ).toEqual(['completed: Draw the curve']))
})
