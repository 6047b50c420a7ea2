# Prints the help of a Makefile. `### Heading` starts a group, and `target: … ## text` describes a target.
/^### / { printf "\n%s\n", substr($0, 5) }
/^[a-z][a-z-]*:.*## / {
    target = $0; sub(/:.*/, "", target)
    text = $0; sub(/.*## /, "", text)
    printf "  make %-20s %s\n", target, text
}
