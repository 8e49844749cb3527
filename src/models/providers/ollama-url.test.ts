import { expect, it } from 'vitest'
import { ollamaUrl } from './ollama-url.ts'

it.each([
  ['', 'http://127.0.0.1:11434'],
  ['localhost', 'http://localhost:11434'],
  ['gpu.lan', 'http://gpu.lan:11434'],
  ['gpu.lan:8080', 'http://gpu.lan:8080'],
  [':8080', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['http://0.0.0.0:11434', 'http://127.0.0.1:11434'],
  ['http://gpu.lan', 'http://gpu.lan:80'],
  ['https://gpu.lan', 'https://gpu.lan:443'],
  ['https://gpu.lan:1234/ollama/', 'https://gpu.lan:1234/ollama'],
  ['http://localhost:11434/', 'http://localhost:11434'],
  ['::1', 'http://[::1]:11434'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['[::]', 'http://[::1]:11434'],
  ['::', 'http://[::1]:11434'],
  [' "192.168.1.2:99" ', 'http://192.168.1.2:99'],
  ['gpu.lan:66000', 'http://gpu.lan:11434'],
  ['gpu.lan:port', 'http://gpu.lan:11434'],
])('OLLAMA_HOST=%s is %s', (written, meant) => {
  expect(ollamaUrl(written)).toBe(meant)
})
