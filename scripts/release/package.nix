# For nixpkgs: pkgs/by-name/gi/git-merge-yaml/package.nix
{
  lib,
  buildGoModule,
  fetchFromGitHub,
  installShellFiles,
  git,
}:

buildGoModule rec {
  pname = "git-merge-yaml";
  version = "@VERSION@";

  src = fetchFromGitHub {
    owner = "git-merge-yaml";
    repo = "git-merge-yaml";
    tag = "v${version}";
    hash = "@SOURCE_HASH@";
  };
  vendorHash = "@VENDOR_HASH@";

  subPackages = [ "cmd/git-merge-yaml" ];
  env.CGO_ENABLED = 0;
  tags = [ "urfave_cli_no_docs" ];
  ldflags = [
    "-s"
    "-w"
    "-X github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build.release=v${version}"
  ];

  nativeBuildInputs = [ installShellFiles ];
  nativeCheckInputs = [ git ];
  # The tests need a terminal, several versions of git, and minutes.
  doCheck = false;

  postInstall = ''
    installManPage docs/git-merge-yaml.1
    installShellCompletion --cmd git-merge-yaml \
      --bash <($out/bin/git-merge-yaml completion bash) \
      --zsh <($out/bin/git-merge-yaml completion zsh) \
      --fish <($out/bin/git-merge-yaml completion fish)
  '';

  meta = {
    description = "Git merge driver for YAML";
    homepage = "https://github.com/git-merge-yaml/git-merge-yaml";
    license = lib.licenses.asl20;
    mainProgram = "git-merge-yaml";
  };
}
