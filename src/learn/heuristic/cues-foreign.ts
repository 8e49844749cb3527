// The main speech acts in other languages, under the names of the English cues. A few certain words each: better to miss a
// rule than to make one out of small talk.

const languages: Record<string, RegExp>[] = [
  {
    standing: /(?:^|\s)(?:immer|jedes mal|stets|grundsätzlich|nie|niemals|auf keinen fall|nie wieder)(?=\s|[,.!]|$)/,
    fromNowOn: /(?:^|\s)(?:ab jetzt|ab sofort|künftig|in zukunft|von nun an)(?=\s|[,.!]|$)/,
    remember: /(?:^|\s)(?:merk dir|denk daran|denk dran|nicht vergessen|zur info)(?=\s|[,.:!]|$)/,
    must: /(?:^|\s)(?:muss|müssen|darf nicht|dürfen nicht)(?=\s|[,.!]|$)/,
    prefer: /(?:^|\s)(?:ich bevorzuge|mir ist lieber|ich möchte lieber|ich hätte lieber)(?=\s|[,.!]|$)/,
    no: /^(?:nein|falsch|stimmt nicht|das ist falsch|das stimmt nicht)(?=\s|[,.!]|$)/,
    noLonger: /(?:^|\s)(?:nicht mehr|veraltet)(?=\s|[,.!]|$)/,
    because: /(?:^|\s)(?:weil|denn|da sonst|sonst)(?=\s|[,.!]|$)/,
    hedge: /(?:^|\s)(?:vielleicht|eventuell|vermutlich|wahrscheinlich)(?=\s|[,.!]|$)/,
    canYou: /(?:^|\s)(?:kannst du|könntest du|können wir)(?=\s|[,.!]|$)/,
  },
  {
    standing: /(?:^|\s)(?:toujours|à chaque fois|systématiquement|jamais|en aucun cas)(?=\s|[,.!]|$)/,
    fromNowOn: /(?:^|\s)(?:désormais|dorénavant|à partir de maintenant|à l'avenir)(?=\s|[,.!]|$)/,
    remember: /(?:^|\s)(?:souviens-toi|rappelle-toi|n'oublie pas|pour info)(?=\s|[,.:!]|$)/,
    must: /(?:^|\s)(?:il faut|doit|doivent|ne doit pas)(?=\s|[,.!]|$)/,
    prefer: /(?:^|\s)(?:je préfère|je préférerais)(?=\s|[,.!]|$)/,
    no: /^(?:non|c'est faux|ce n'est pas (?:ça|correct|vrai))(?=\s|[,.!]|$)/,
    noLonger: /(?:^|\s)(?:n'utilise plus|n'utilisons plus|ne \S+ plus|n'est plus|obsolète)(?=\s|[,.!]|$)/,
    because: /(?:^|\s)(?:parce que|parce qu'\S+|car|sinon)(?=\s|[,.!]|$)/,
    hedge: /(?:^|\s)(?:peut-être|probablement|sans doute)(?=\s|[,.!]|$)/,
    canYou: /(?:^|\s)(?:peux-tu|pourrais-tu|est-ce que)(?=\s|[,.!]|$)/,
  },
  {
    standing: /(?:^|\s)(?:siempre|cada vez|nunca|jamás|en ningún caso)(?=\s|[,.!]|$)/,
    fromNowOn: /(?:^|\s)(?:a partir de ahora|de ahora en adelante|en el futuro)(?=\s|[,.!]|$)/,
    remember: /(?:^|\s)(?:recuerda|acuérdate|no olvides|ten en cuenta)(?=\s|[,.:!]|$)/,
    must: /(?:^|\s)(?:debe|deben|hay que|tiene que|tienen que)(?=\s|[,.!]|$)/,
    prefer: /(?:^|\s)(?:prefiero|preferimos)(?=\s|[,.!]|$)/,
    no: /^(?:eso no|está mal|eso es incorrecto|no es (?:así|correcto|cierto))(?=\s|[,.!]|$)/,
    noLonger: /(?:^|\s)(?:ya no|obsoleto)(?=\s|[,.!]|$)/,
    because: /(?:^|\s)(?:porque|ya que|de lo contrario)(?=\s|[,.!]|$)/,
    hedge: /(?:^|\s)(?:quizás|quizá|tal vez|probablemente)(?=\s|[,.!]|$)/,
    canYou: /(?:^|\s)(?:puedes|podrías|podemos)(?=\s|[,.!]|$)/,
  },
  {
    standing: /总是|始终|一律|每次|務必|务必|總是|绝不|永远不要|永遠不要|千万不要|禁止/,
    fromNowOn: /从现在开始|以后|今后|從現在開始|以後/,
    remember: /记住|記住|请注意|請注意|别忘了/,
    must: /必须|必須|不得|一定要/,
    prefer: /我更喜欢|我喜欢|我更喜歡|我希望/,
    no: /^(?:不对|不是|错了|不對|錯了)/,
    noLonger: /不再|已经不用|已弃用|已廢棄/,
    because: /因为|因為|否则|否則/,
    hedge: /也许|可能|或许|也許|或許/,
    canYou: /能不能|可以.{0,20}吗|可以.{0,20}嗎/,
    questionMark: /[？吗嗎]\W*$/,
  },
]

export const foreignCues: [string, RegExp][] = languages.flatMap((language) => Object.entries(language))
