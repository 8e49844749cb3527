// The Homebrew formula. The checksum of a package is known only after it was published, so the
// formula names the last release that was recorded in it; before the first one it builds `main`.

interface Release {
  url: string
  sha256: string
}

interface FormulaText {
  repository: string
  description: string
}

/** The formula for the release that `current`, the formula as it is, names. */
export function homebrewFormula(current: string, text: FormulaText, released = releaseIn(current)): string {
  const stable = released ? `  url "${released.url}"\n  sha256 "${released.sha256}"\n` : ''
  // Homebrew wants no full stop, and no article at the start.
  const description = text.description.replace(/\.$/, '')
  return `class Recollect < Formula
  desc "${description}"
  homepage "${text.repository}"
${stable}  license "MIT"
  head "${text.repository}.git", branch: "main"

  depends_on "node"

  def install
    system "npm", "run", "build" if build.head?
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    generate_completions_from_executable(bin/"recollect", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/recollect --version") unless build.head?
    ENV["RECOLLECT_HOME"] = testpath/"store"
    assert_match "demo", shell_output("#{bin}/recollect")
  end
end
`
}

function releaseIn(formula: string): Release | undefined {
  const [, url, sha256] = /^ {2}url "(.+)"\n {2}sha256 "([0-9a-f]{64})"$/m.exec(formula) ?? []
  return url && sha256 ? { url, sha256 } : undefined
}
