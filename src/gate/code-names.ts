// Names in changed lines. Whoever chooses the name of a function says with it what the reader should
// call, or writes a sentence: a name is told if the code had it before, or if every program has it.

const gap = '…'

/** Added lines without the names that are new; undefined if nothing else is left of them. */
export function withoutNewNames(lines: readonly string[]): string[] | undefined {
  const own = new Set(lines.filter((line) => !isAdded(line)).flatMap((line) => line.match(token) ?? []))
  let known = 0
  const told = lines.map((line) => {
    if (!isAdded(line)) return line
    const [code = '', directive = ''] = line.split(
      /(?=(?:\/\/|\/\*|#) ?(?:nolint|noqa|type:|@ts-|eslint|biome|oxlint|pylint|rubocop|shellcheck))/,
    )
    const masked = code.slice(1).replace(token, (name) => {
      const isKnown = own.has(name) || isCommon(name)
      if (isKnown && (own.has(name) || !isJoint(name))) known++
      return isKnown ? name : gap
    })
    if (directive !== '') known++
    return `+${masked.replace(/…(?:[.:]+…)+/g, gap)}${directive}`
  })
  return known === 0 ? undefined : told
}

function isAdded(line: string): boolean {
  return line.startsWith('+')
}

/** Names and numbers. */
const token = /[\p{L}_$@][\p{L}\p{N}_$]*|\d[\w.]*/gu

function isCommon(name: string): boolean {
  return name.length === 1 || /^\d{1,2}$/.test(name) || joints.has(name) || common.has(name.toLowerCase())
}

/** Says nothing alone. */
function isJoint(name: string): boolean {
  return name.length === 1 || joints.has(name)
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)

const joints = new Set(
  words(
    'abstract and any as assert asserts async await begin bool boolean break by byte case catch char class const constexpr continue def default defer del do double elif else end enum except export extends extern final finally float fn for from func function go goto if impl implements import in inline instanceof int interface is keyof lambda let local long loop match mod module move mut mutable namespace new not object of open operator or override package pass private protected protocol pub public raise readonly record ref register return sealed self short signed sizeof static string struct super switch synchronized template then this throw throws trait transient try type typedef typename typeof union unsigned until use using val var virtual void volatile when where while with yield',
  ),
)

/** Values, types and functions that every language or its library has, and that nothing happens by. */
const common = new Set(
  words(
    `nil null none undefined true false ok err error errors ex exception some result option optional unknown never number bigint symbol
    str list dict tuple set map array vec slice rune uint int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 usize isize i32 i64 u8 u32 u64 f32 f64 size_t
    record partial required pick omit nonnullable promise iterable iterator sequence mapping callable typing annotated generic protocol
    length len count size index idx key keys value values item items entry entries name names data args kwargs ctx context props children node row rows line lines text
    append extend push pop shift filter reduce find some every includes has get first last sort sorted reverse reversed range enumerate zip min max sum abs round floor ceil
    format print join split trim strip replace concat substring lower upper tolowercase touppercase startswith endswith tostring repr strconv itoa atoi parseint parsefloat isinstance issubclass
    fmt errorf sprintf wrap unwrap is as new iserror valueerror typeerror keyerror indexerror runtimeerror
    json marshal unmarshal stringify parse loads dumps encode decode bytes buffer reader writer close closed flush
    time date now duration second seconds minute minutes millisecond math const_cast static_cast self cls init main test tests expect toequal tobe assertequal
    async future wait lock unlock mutex rlock runlock waitgroup add done once sync channel chan
    final override staticmethod classmethod property dataclass field abstractmethod nolint lint allow`,
  ),
)
