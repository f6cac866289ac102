/**
 * The completion for bash. It needs no function of the package bash-completion, may be sourced twice, and evaluates
 * nothing: neither what the user has typed, nor what the program offers, which a server may have named.
 */
export const bashScript = `# bash completion for genmount

__genmount_complete() {
    local rest=\${COMP_LINE:0:COMP_POINT} words=() index word space offer kept
    # For bash a word ends at "=" and ":" too: what has no space before it belongs to the word before.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        space=\${rest%%[![:space:]]*}
        rest=\${rest#"$space"}
        word=\${COMP_WORDS[index]}
        # The cursor stands in this word.
        [[ $rest == "$word"* ]] || word=$rest
        rest=\${rest#"$word"}
        if [[ $index -eq 0 || -n $space ]]; then
            words+=("$word")
        else
            words[\${#words[@]} - 1]+=$word
        fi
    done
    words=("\${words[@]//[\\"\\']/}")
    local typed=\${words[\${#words[@]} - 1]}
    # Bash replaces only what is behind the last "=" or ":".
    typed=\${typed#-*=}
    [[ $typed == *:* && $COMP_WORDBREAKS == *:* ]] && kept=\${typed%:*}:

    COMPREPLY=()
    while IFS=$'\\t' read -r offer _; do
        if [[ $offer != :* && $offer == "$typed"* ]]; then
            printf -v offer %q "\${offer#"$kept"}"
            COMPREPLY+=("$offer")
        fi
    done < <(genmount complete -- "\${words[@]:1}" 2>/dev/null)
}

complete -F __genmount_complete genmount`
