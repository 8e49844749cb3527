// Imported by name here, so that it can be loaded late: a bundle keeps no names of a CommonJS module that is imported late itself.
export { parseDocument } from 'yaml'
