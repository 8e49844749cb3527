import { describe, expect, it } from 'vitest'
import { judgeExchange } from './judge.ts'

const judge = (prompt: string, after: string) => judgeExchange({ before: 'I updated the code.', prompt, after })

describe('a request to remember', () => {
  it.each([
    ['Remember that the staging database is read-only.', 'The staging database is read-only.'],
    ['Please remember: releases go out on Tuesdays.', 'Releases go out on Tuesdays.'],
    ['Keep in mind that the legacy API has no rate limit.', 'The legacy API has no rate limit.'],
    ['Save this to memory: the CI runner has 2 cores.', 'The CI runner has 2 cores.'],
    ['for future sessions: we deploy from the release branch', 'We deploy from the release branch'],
    ['Also, please remember that we never rebase main.', 'We never rebase main.'],
    ['Fix the typo. Remember that docs are in British English.', 'Docs are in British English.'],
    ['Merk dir: wir deployen nur dienstags.', 'Wir deployen nur dienstags.'],
    [
      'Bitte merke dir, dass der Testserver keine Backups hat.',
      'Bitte merke dir, dass der Testserver keine Backups hat.',
    ],
    ['Souviens-toi que la base de test est partagée.', 'La base de test est partagée.'],
    ['Pour les prochaines sessions : on déploie le mardi.', 'On déploie le mardi.'],
    ['Recuerda que el servidor de pruebas no tiene copias.', 'El servidor de pruebas no tiene copias.'],
    ['Guarda esto en tu memoria: usamos pnpm en este repositorio.', 'Usamos pnpm en este repositorio.'],
    ['Lembre-se de que o banco de testes é compartilhado.', 'O banco de testes é compartilhado.'],
    ['Ricorda che il server di test non ha backup.', 'Il server di test non ha backup.'],
    ['Запомни, что тестовая база общая для всех.', 'Тестовая база общая для всех.'],
    ['请记住：测试数据库是只读的。', '测试数据库是只读的。'],
    ['覚えておいてください：ステージングは読み取り専用です。', 'ステージングは読み取り専用です。'],
    ['스테이징 DB는 읽기 전용이라는 것을 기억해 주세요.', '스테이징 DB는 읽기 전용이라는 것을 기억해 주세요.'],
    ['기억해 줘: 배포는 화요일에만 한다.', '배포는 화요일에만 한다.'],
  ])('SPEC C.15: is kept, whatever the agent answers: %s', (prompt, text) => {
    for (const after of ['Done.', 'I will remember that.', ''])
      expect(judge(prompt, after)).toContainEqual(expect.objectContaining({ text, isRequest: true, score: 0.95 }))
  })

  it.each([
    'remember to run the tests',
    "don't forget to push",
    'Remember that bug from yesterday?',
    'Do you remember that we used npm?',
    'Remember that function we wrote yesterday',
    'remember: to push when you are done',
    'Keep in mind that this PR must be small, it is due today.',
    'Summarise the import. Keep in mind that old files have no header.',
    'can you remember that the db is shared?',
    'add a test that says "remember that the db is shared"',
    'The README says: remember that the db is shared.',
    '> Remember that the db is read-only.',
    'I remember that the db was shared once.',
    'We should remember that option for later.',
    'save this to memory.ts: it has the types',
    'Denk daran, die Tests laufen zu lassen.',
    'Merk dir das.',
    "N'oublie pas de pousser.",
    'Recuerda ejecutar las pruebas.',
    'Lembre-se de rodar os testes.',
    'Ricordati di fare il push.',
    'Не забудь запустить тесты.',
    '记得跑测试。',
    'テストを忘れないでください。',
    '테스트 돌리는 거 잊지 마.',
  ])('is not: %s', (prompt) => {
    for (const after of ['Done.', '']) expect(judge(prompt, after).filter(({ isRequest }) => isRequest)).toEqual([])
  })
})
