// Reads the task list that an agent keeps of its work, in the forms of all agents: the whole list in each
// call, changes of single tasks, or a checklist in Markdown.
import type { Event, Json } from '../core/session.ts'
import { oneLine, truncate } from '../text/truncate.ts'

export interface Task {
  /** As the agent numbers it; of a task without a number, its place in the list. */
  id: string
  text: string
  status: TaskStatus
}

export type TaskStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled'

/** The list after an event; the same list if the event does not change it. */
export function foldTasks(tasks: Task[], event: TaskEvent): Task[] {
  if (event.kind === 'tool_call' && isObject(event.input)) {
    const { input, call = '' } = event
    const name = (event.tool ?? '').replace(/[^a-z]/gi, '').toLowerCase()
    const change = changedTasks(tasks, { input, call, name }) ?? writtenTasks(tasks, input, name)
    return change?.slice(0, maxTasks) ?? tasks
  }
  return event.kind === 'tool_result' ? withPrintedIds(tasks, event) : tasks
}

type TaskEvent = Pick<Event, 'kind' | 'tool' | 'call' | 'input' | 'text' | 'error'>

export function isOpen({ status }: Task): boolean {
  return status === 'pending' || status === 'in_progress'
}

const maxTasks = 60
const maxText = 200

interface TaskCall {
  input: Input
  call: string
  name: string
}

type Input = Record<string, Json | undefined>

/** Calls that create or change single tasks; undefined for any other. */
function changedTasks(tasks: Task[], { input, call, name }: TaskCall): Task[] | undefined {
  // Claude Code since 2.1.16; a list of Pi has one tool for both.
  const isPi = name === 'todo' && typeof input.action === 'string'
  if (name === 'taskcreate' || (isPi && input.action === 'create')) {
    const text = textOf(input)
    return text === '' ? undefined : [...tasks, { id: idOfCall(call), text, status: 'pending' }]
  }
  if (name === 'taskupdate' || (isPi && input.action === 'update')) {
    const id = idOf(input.taskId ?? input.id)
    return tasks.map((task) => (task.id === id ? changed(task, input) : task))
  }
  // Kiro numbers the tasks from 1.
  if (input.command === 'complete' && Array.isArray(input.completed_task_ids)) {
    const ids = input.completed_task_ids.map(idOf)
    return tasks.map((task) => (ids.includes(task.id) ? { ...task, status: 'completed' } : task))
  }
  return undefined
}

function changed(task: Task, input: Input): Task {
  const text = textOf(input)
  const status = typeof input.status === 'string' ? statusOf(input.status) : task.status
  return { ...task, status, ...(text === '' ? {} : { text }) }
}

/** Calls with a list that replaces the one before, or is merged into it. */
function writtenTasks(tasks: Task[], input: Input, name: string): Task[] | undefined {
  const isNamed = /todo|tasklist/.test(name)
  const list = input.todos ?? input.plan ?? input.todoList ?? (isNamed ? (input.tasks ?? input.content) : undefined)
  if (Array.isArray(list)) {
    if (input.merge === true) return merged(tasks, list)
    const read = list.flatMap(taskIn)
    return read.length > 0 || list.length === 0 ? read : undefined
  }
  // A plan in prose is no list. Cline writes its checklist into the calls of other tools.
  const checklist = input.todos ?? input.task_progress ?? (isNamed ? input.content : undefined)
  return typeof checklist === 'string' ? checklistIn(checklist) : undefined
}

/** Cursor, Grok and Hermes send only what changed. */
function merged(tasks: Task[], list: readonly Json[]): Task[] {
  const result = [...tasks]
  for (const item of list) {
    if (!isObject(item)) continue
    const at = result.findIndex(({ id }) => id === idOf(item.id))
    if (at >= 0) result[at] = changed(result[at]!, item)
    else result.push(...taskIn(item, result.length))
  }
  return result
}

function taskIn(item: Json, index: number): Task[] {
  const place = String(index + 1)
  if (typeof item === 'string') return item.trim() === '' ? [] : [taskOf(place, item, 'pending')]
  if (!isObject(item)) return []
  const text = textOf(item)
  const status = typeof item.status === 'string' ? statusOf(item.status) : 'pending'
  return text === '' ? [] : [{ id: idOf(item.id) || place, text, status }]
}

/** A short title comes before a description of the same task. */
function textOf(item: Input): string {
  const names = ['content', 'step', 'title', 'subject', 'task', 'task_description', 'description']
  const text = names.map((name) => item[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof text === 'string' ? oneLine(truncate(text, maxText)) : ''
}

/** `- [x] Draw the table`, `[-] Draw the table`, `1. [in_progress] Draw the table`. */
function checklistIn(text: string): Task[] | undefined {
  const found = [...text.matchAll(checklistItem)]
  if (found.length === 0) return undefined
  return found.map(([, mark, item], index) => taskOf(String(index + 1), item!, mark!))
}

const checklistItem = /^[ \t]*(?:[-*+]|\d{1,3}[.)])?[ \t]*\[( |[xX~-]|[a-z_ -]{4,20})\][ \t]+(\S.*)$/gm

function taskOf(id: string, text: string, status: string): Task {
  return { id, text: oneLine(truncate(text, maxText)), status: statusOf(status) }
}

/** Agents write `In Progress`, `in-progress`, `TODO_STATUS_IN_PROGRESS`, `done`, `not-started`, or a mark. */
function statusOf(status: string): TaskStatus {
  const word = status
    .toLowerCase()
    .replace(/^todo_status_/, '')
    .replace(/[^a-z~-]/g, '')
  if (/^(?:x|done|completed?|finished)$/.test(word)) return 'completed'
  if (/^(?:[~-]|in-?progress|active|doing|started)$/.test(word)) return 'in_progress'
  return /^(?:cancell?ed|deleted|removed|dropped|skipped|abandoned)$/.test(word) ? 'cancelled' : 'pending'
}

/** The number of a created task, and the list that a tool prints, are known from results only. */
function withPrintedIds(tasks: Task[], { tool, call, text, error }: TaskEvent): Task[] {
  if (tool === 'TaskList' && !error) {
    const printed = [...text.matchAll(printedTask)]
    return printed.length === 0 ? tasks : printed.map(([, id, status, task]) => taskOf(id!, task!, status!))
  }
  const created = call ? idOfCall(call) : ''
  if (!tasks.some(({ id }) => id === created)) return tasks
  if (error) return tasks.filter(({ id }) => id !== created)
  const id = /#(\d+)/.exec(text.slice(0, 200))?.[1]
  return id ? tasks.map((task) => (task.id === created ? { ...task, id } : task)) : tasks
}

const printedTask = /^#(\d+) \[(pending|in_progress|completed)\] (.+?)(?: \[blocked by [^\]]*\])?$/gm

function idOfCall(call: string): string {
  return `call ${call}`
}

function idOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isObject(value: Json | undefined): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
