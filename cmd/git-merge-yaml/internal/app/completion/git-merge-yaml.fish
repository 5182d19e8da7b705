# Completion of git-merge-yaml in fish, and of git merge-yaml in fish's own for git.
function __git_merge_yaml
    set -l word (commandline -ct)
    set -l words (commandline -opc)
    set -l head (string match -r -- '^-[^=]*=' $word)
    for line in (git-merge-yaml completion --reply -- $words[2..] "$word" 2>/dev/null)
        switch $line
            case :any
                __fish_complete_path (string sub -s (math 1 + (string length -- "$head")) -- $word) | string replace -r '^' -- "$head"
            case :dirs
                __fish_complete_directories (string sub -s (math 1 + (string length -- "$head")) -- $word) '' | string replace -r '^' -- "$head"
            case :yaml
                __fish_complete_path (string sub -s (math 1 + (string length -- "$head")) -- $word) | string match -r '.*(?:/|\.ya?ml)(?:\t.*)?$' | string replace -r '^' -- "$head"
            case '*'
                echo $line
        end
    end
end

complete -c git-merge-yaml -f -k -a '(__git_merge_yaml)'
