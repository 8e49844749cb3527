// Twelve sentences of each language that state something durable, and eight that do not.
import { describe, expect, it } from 'vitest'
import { judgeExchange } from './judge.ts'

interface Sentences {
  kept: string[]
  ignored: string[]
}

const languages: Record<string, Sentences> = {
  German: {
    kept: [
      'Ab sofort immer pnpm verwenden, nie npm.',
      'Wir deployen nie am Freitag, weil der Support dann nicht besetzt ist.',
      'Commit-Nachrichten müssen immer auf Englisch sein.',
      'Ich bevorzuge kleine Pull Requests.',
      'Wir haben uns für SQLite entschieden, weil es keinen Server braucht.',
      'Nein, der Testserver ist nicht öffentlich.',
      'Wir verwenden Vitest statt Jest.',
      'Das Problem war ein veralteter Cache.',
      'Wir sind von Webpack auf Vite umgestiegen.',
      'Lösche nie Dateien, ohne mich zu fragen.',
      'Wir unterstützen Windows nicht mehr.',
      'Künftig keine Emojis in der Dokumentation.',
    ],
    ignored: [
      'Kannst du das bitte testen?',
      'Füge einen Button zum Exportieren hinzu.',
      'Danke, das sieht gut aus!',
      'Warum ist der Build so langsam?',
      'Benenne die Variable in der Datei um.',
      'Zeig mir bitte den Diff.',
      'Soll ich den Branch löschen?',
      'Ja, mach weiter.',
    ],
  },
  French: {
    kept: [
      'Désormais utilise toujours pnpm, jamais npm.',
      "On ne déploie jamais le vendredi parce que personne n'est disponible.",
      'Les messages de commit doivent toujours être en anglais.',
      'Je préfère les petites pull requests.',
      'Nous avons décidé de garder SQLite.',
      "Non, ce n'est pas vrai, la base de test est partagée.",
      'Utilise Vitest au lieu de Jest.',
      'Le problème était un cache périmé.',
      'Nous avons migré vers Vite.',
      'Ne supprime jamais un fichier sans me demander.',
      'On ne prend plus en charge Windows.',
      "À l'avenir, pas d'émojis dans la documentation.",
    ],
    ignored: [
      'Peux-tu regarder ça ?',
      "Ajoute un bouton pour l'export.",
      'Merci, c’est parfait !',
      'Pourquoi le build est-il si lent ?',
      'Renomme la variable dans ce fichier.',
      'Montre-moi le diff.',
      'Est-ce que je dois supprimer la branche ?',
      'Oui, continue.',
    ],
  },
  Spanish: {
    kept: [
      'A partir de ahora usa siempre pnpm, nunca npm.',
      'Nunca desplegamos los viernes porque no hay nadie de guardia.',
      'Los mensajes de commit siempre deben estar en inglés.',
      'Prefiero los pull requests pequeños.',
      'Hemos decidido quedarnos con SQLite.',
      'No, eso es incorrecto, la base de pruebas es compartida.',
      'Usa Vitest en lugar de Jest.',
      'El problema era una caché obsoleta.',
      'Migramos de Webpack a Vite.',
      'Nunca borres un archivo sin preguntarme.',
      'Ya no damos soporte a Windows.',
      'De ahora en adelante, nada de emojis en la documentación.',
    ],
    ignored: [
      '¿Puedes probarlo, por favor?',
      'Añade un botón para exportar la tabla.',
      '¡Gracias, está perfecto!',
      '¿Por qué es tan lenta la compilación?',
      'Renombra la variable en este archivo.',
      'Muestra el diff.',
      '¿Hay alguna prueba para esto?',
      'Sí, sigue.',
    ],
  },
  Portuguese: {
    kept: [
      'A partir de agora use sempre pnpm, nunca npm.',
      'Nunca publicamos na sexta-feira porque não há ninguém de plantão.',
      'As mensagens de commit devem sempre estar em inglês.',
      'Prefiro pull requests pequenos.',
      'Decidimos manter o SQLite.',
      'Não, isso está errado, o banco de testes é compartilhado.',
      'Use Vitest em vez de Jest.',
      'O problema era um cache desatualizado.',
      'Migramos do Webpack para o Vite.',
      'Nunca apague um arquivo sem me perguntar.',
      'Não damos mais suporte ao Windows.',
      'De agora em diante, nada de emojis na documentação.',
    ],
    ignored: [
      'Você pode testar isso, por favor?',
      'Adicione um botão para exportar a tabela.',
      'Obrigado, ficou perfeito!',
      'Por que o build é tão lento?',
      'Renomeie a variável neste arquivo.',
      'Mostre o diff.',
      'Tem algum teste para isso?',
      'Sim, continue.',
    ],
  },
  Italian: {
    kept: [
      "D'ora in poi usa sempre pnpm, mai npm.",
      "Non facciamo mai deploy il venerdì perché non c'è nessuno.",
      'I messaggi di commit devono essere sempre in inglese.',
      'Preferisco le pull request piccole.',
      'Abbiamo deciso di tenere SQLite.',
      'No, non è vero, il database di test è condiviso.',
      'Usa Vitest invece di Jest.',
      'Il problema era una cache obsoleta.',
      'Siamo passati da Webpack a Vite.',
      'Non cancellare mai un file senza chiedermelo.',
      'Non supportiamo più Windows.',
      'In futuro niente emoji nella documentazione.',
    ],
    ignored: [
      'Puoi provarlo, per favore?',
      'Aggiungi un pulsante per esportare la tabella.',
      'Grazie, è perfetto!',
      'Perché la build è così lenta?',
      'Rinomina la variabile in questo file.',
      'Mostra il diff.',
      "C'è un test per questo?",
      'Sì, continua.',
    ],
  },
  Russian: {
    kept: [
      'С этого момента всегда используй pnpm, никогда npm.',
      'Мы никогда не деплоим в пятницу, потому что некому чинить.',
      'Сообщения коммитов всегда должны быть на английском.',
      'Я предпочитаю маленькие пул-реквесты.',
      'Мы решили оставить SQLite.',
      'Нет, это не так, тестовая база общая.',
      'Используй Vitest вместо Jest.',
      'Проблема была в устаревшем кэше.',
      'Мы перешли с Webpack на Vite.',
      'Никогда не удаляй файлы, не спросив меня.',
      'Мы больше не поддерживаем Windows.',
      'Впредь никаких эмодзи в документации.',
    ],
    ignored: [
      'Можешь это проверить?',
      'Добавь кнопку для экспорта таблицы.',
      'Спасибо, отлично!',
      'Почему сборка такая медленная?',
      'Переименуй переменную в этом файле.',
      'Покажи дифф.',
      'Есть ли тест на это?',
      'Да, продолжай.',
    ],
  },
  Chinese: {
    kept: [
      '从现在开始，提交之前必须先问我，绝不直接推送。',
      '我们从不在周五部署，因为没人值班。',
      '提交信息必须始终用英文。',
      '我更喜欢小的合并请求。',
      '我们决定保留 SQLite。',
      '不对，测试数据库是共享的，不是私有的。',
      '用 Vitest 而不是 Jest。',
      '问题是缓存过期了。',
      '我们从 Webpack 迁移到了 Vite。',
      '未经我同意，绝不要删除文件。',
      '我们不再支持 Windows。',
      '以后文档里不要用表情符号。',
    ],
    ignored: [
      '这个可以吗？',
      '添加一个导出表格的按钮。',
      '谢谢，很好！',
      '为什么构建这么慢？',
      '重命名这个文件里的变量。',
      '看看这个差异。',
      '这个有测试吗？',
      '好的，继续。',
    ],
  },
  Japanese: {
    kept: [
      '今後は必ず pnpm を使い、npm は絶対に使わないでください。',
      '金曜日は担当者がいないので、絶対にデプロイしないこと。',
      'コミットメッセージは常に英語で書く必要があります。',
      '小さなプルリクエストのほうが好きです。',
      '私たちは SQLite を使い続けることに決めました。',
      'いいえ、違います。テスト用のデータベースは共有です。',
      'Jest ではなく Vitest を使ってください。',
      '原因は古いキャッシュでした。',
      'Webpack から Vite に移行しました。',
      '確認せずにファイルを削除しないでください。',
      'Windows はもうサポートしていません。',
      'これからはドキュメントに絵文字を入れないでください。',
    ],
    ignored: [
      'これを試してもらえますか？',
      '表を書き出すボタンを追加してください。',
      'ありがとう、完璧です！',
      'なぜビルドが遅いのですか？',
      'このファイルの変数名を変更して。',
      '差分を見せて。',
      'テストはありますか？',
      'はい、続けて。',
    ],
  },
  Korean: {
    kept: [
      '앞으로는 항상 pnpm을 쓰고 npm은 절대 쓰지 마세요.',
      '담당자가 없기 때문에 금요일에는 절대 배포하지 않습니다.',
      '커밋 메시지는 항상 영어로 써야 합니다.',
      '저는 작은 풀 리퀘스트를 선호합니다.',
      '우리는 SQLite를 유지하기로 결정했습니다.',
      '아니요, 틀렸습니다. 테스트 데이터베이스는 공유입니다.',
      'Jest 대신 Vitest를 사용하세요.',
      '원인은 오래된 캐시였습니다.',
      '우리는 Webpack에서 Vite로 전환했습니다.',
      '먼저 물어보지 않고 파일을 절대 지우지 마세요.',
      '우리는 더 이상 Windows를 지원하지 않습니다.',
      '이제부터 문서에 이모지를 넣지 마세요.',
    ],
    ignored: [
      '이거 테스트해 줄 수 있어?',
      '표를 내보내는 버튼을 추가해 줘.',
      '고마워요, 완벽해요!',
      '왜 빌드가 느려요?',
      '이 파일의 변수 이름을 바꿔 줘.',
      '차이를 보여 줘.',
      '이거 테스트가 있나요?',
      '네, 계속하세요.',
    ],
  },
}

const scoreOf = (prompt: string) =>
  Math.max(0, ...judgeExchange({ before: 'Done.', prompt, after: 'OK.' }).map(({ score = 0 }) => score))

describe.each(Object.entries(languages))('%s', (_, { kept, ignored }) => {
  it('has candidates', () => expect(kept.filter((prompt) => scoreOf(prompt) < 0.08)).toEqual([]))

  it('has tasks, questions and thanks that are none', () =>
    expect(ignored.filter((prompt) => scoreOf(prompt) > 0)).toEqual([]))
})

it('splits sentences without spaces', () => {
  const prompt = '测试都通过了。我们从不在周五部署，因为没人值班。谢谢！'
  const texts = judgeExchange({ before: '', prompt, after: '' }).map(({ text }) => text)
  expect(texts).toEqual(['我们从不在周五部署，因为没人值班。'])
})
