class Recollect < Formula
  desc "Memory for coding agents: every session of every agent, on your own machine"
  homepage "https://github.com/recollect-dev/recollect"
  license "MIT"
  head "https://github.com/recollect-dev/recollect.git", branch: "main"

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
