// Function words of Chinese and Japanese in English, as `in-english.ts` does it for languages with
// spaces: "用 pnpm 而不是 npm" becomes "use pnpm, not npm". Content words stay as they are.

/** Expects lower case. A text without such characters stays as it is. */
export function cjkInEnglish(text: string): string {
  if (!ideograph.test(text)) return text
  const phrases = kana.test(text) ? japanese : chinese
  const said = phrases.reduce((result, [phrase, english]) => result.replace(phrase, english), text)
  // "npmを使う" is two words.
  return said
    .replace(besideLatin, ' ')
    .replace(/\s*([,，、])(?:\s*[,，、])*\s*/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,]+|[\s,]+$/g, '')
}

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const besideLatin =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])(?=[a-z0-9])|(?<=[a-z0-9])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu

type Phrase = readonly [RegExp, string]

/** A part of a sentence; bounded, so that long texts are read in linear time. */
const part = '([^,，、。;；:：]{1,24}?)'
const phrase = (source: string, english: string): Phrase => [new RegExp(source, 'gu'), english]

const chinese: readonly Phrase[] = [
  phrase('我们|咱们', ''),
  phrase(
    '(?<=^|[,，。])([^,，。用不别勿应]{2,24}?)(?:都|必须|统一|一律|总是|应该|应当|要)*(?:使用|用)([^,，。]{1,24})(?=$|[,，。])',
    'use $2 for $1',
  ),
  phrase(`不是${part}[,，]?而是`, ' not $1, but '),
  phrase('[,，]?而(?:不是|非)', ', not '),
  phrase(`(?:使用|用)${part}(?:代替|替代|取代)`, 'use $1 instead of '),
  phrase(`(?:用|以)${part}(?:替换|换掉)`, 'replace with $1 the '),
  phrase(`(?:把|将)${part}(?:替换|换|改)(?:成|为)`, 'replace $1 with '),
  phrase(`从${part}(?:迁移|切换|转|换|复制|同步|合并)?(?:到|至|为)`, 'move from $1 to '),
  phrase(`在${part}(?:之前|以前|前)(?=[^,，。]|[,，])[,，]?`, ' before $1, '),
  phrase(`在${part}(?:之后|以后|后)(?=[^,，。]|[,，])[,，]?`, ' after $1, '),
  phrase(`(?<=^|[,，。;；])${part}(?:之前|以前)[,，]?(?=[^,，。])`, ' before $1, '),
  phrase(`(?<=^|[,，。;；])${part}(?:之后|以后)[,，]?(?=[^,，。])`, ' after $1, '),
  phrase(`(?<=^|[,，。;；])${part}前[,，]?(?=必须|先|应|务必|请|需|都|总|一定|要|不)`, ' before $1, '),
  phrase(`(?<=^|[,，。;；])${part}后[,，]?(?=必须|再|才|应|务必|请|需|都|总|一定|要|不)`, ' after $1, '),
  phrase(`(?<!最)先${part}[,，]?(?:然后|之后|再|后)(?=[^,，。])`, ' first $1, then '),
  phrase('如果|若|当(?=.{1,24}时)', ' if '),
  phrase('除非', ' unless '),
  phrase('除了|除', ' except '),
  phrase('没有', ' without '),
  phrase('无需|不需要|不必', ' no need '),
  phrase('优先(?:使用|用|选择|考虑)?', ' prefer '),
  phrase('(?:永远|绝|再也)?不(?:要|再|能)?(?:使用|用)', ' never use '),
  phrase(
    '永远不要?|从不|绝不要?|切勿|请勿|不要再?|不应该?|不得|不可以?|不能|不许|不准|严禁|禁止|(?<=^|[,，。;；\\s])别|勿',
    ' never ',
  ),
  phrase('可以|允许|可(?=[直不])', ' may '),
  phrase('只有|只能|仅|只(?!读)', ' only '),
  phrase('必须|务必|应该|应当|总是|始终|一定要?|都要?(?=\\S)|需要|请(?!求)|先', ' '),
  phrase('依赖于?', ' depends on '),
  phrase('调用', ' calls '),
  phrase('使用|采用|(?<![应作费通信引利调])用(?![户途法例于])', ' use '),
  phrase('是|为(?=\\s*\\d)', ' is '),
  phrase('和|与|以及', ' and '),
]

const japanese: readonly Phrase[] = [
  phrase(`${part}ではなく[,、]?(?:て)?`, ' not $1, but '),
  phrase(
    `(?<=^|[,、。])${part}(?:には|では|に|で|は)(?:必ず|常に)?([^,、。]{1,24})を(?:使う|使います|使用する|使用します|使ってください|利用する)`,
    'use $2 for $1',
  ),
  phrase(`${part}(?:の代わりに|に代わって)[,、]?`, ' instead of $1, '),
  phrase(`${part}よりも?[,、]?(?=.)`, ' rather than $1, '),
  phrase(`${part}から${part}(?:に|へ)(?=移行|変更|切り替え|コピー|同期)`, ' from $1 to $2 '),
  phrase(`${part}を${part}に(?:置き換え|変更|切り替え)(?:る|ます)?`, ' replace $1 with $2 '),
  phrase(`${part}は${part}の?前に`, ' $1 before $2 '),
  phrase(`${part}は${part}の?後[にで]?`, ' $1 after $2 '),
  phrase(`${part}(?:する|の)?前に(?:は)?[,、]?`, ' before $1, '),
  phrase(`${part}(?:した|の)?後[にで]?(?:は)?[,、]?(?=.)`, ' after $1, '),
  phrase(`(?:まず|最初に|先に)[,、]?${part}[,、](?:次に|それから|その後|続いて)[,、]?`, ' first $1, then '),
  phrase(`${part}してから[,、]?`, ' first $1, then '),
  phrase(
    '(?:し|使わ|行わ|書か|送ら|残さ|入れ)?(?:ないでください|ないこと|てはいけません|てはいけない|てはならない|ては?だめ|ません|ない)|禁止',
    ' never ',
  ),
  phrase('(?:し)?て(?:も)?(?:よい|良い|いい|かまわない|構わない)', ' may '),
  phrase('だけ|のみ|しか', ' only '),
  phrase('必ず|常に|いつも|すべて|全て', ' '),
  phrase('もし', ' if '),
  phrase(`${part}は${part}に依存(?:する|している|します)?`, ' $1 depends on $2 '),
  phrase(`${part}は${part}を(?:呼び出(?:す|します)|呼ぶ)`, ' $1 calls $2 '),
  phrase('に依存(?:する|している|します)?', ' depends on '),
  phrase('を呼び出(?:す|します)|を呼ぶ', ' calls '),
  phrase(
    'を?(?:使用|利用)(?:する|します|してください|すること)?|を?使(?:う|い|います|って)(?:ください|こと)?',
    ' use ',
  ),
  phrase('(?:する|します|してください|すること|です|である|だ)(?=$|[,、。])', ' '),
  phrase('(?:には|では|とは|は|を|が|に|で|と|の|へ)', ' '),
]
