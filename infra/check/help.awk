# Prints the targets of a Makefile. `### Heading` starts a group, and `target: … ## text` is a line of it.
/^### / { printf "\n%s\n", substr($0, 5) }
/^[a-z][a-z-]*:.*## / {
    target = $0; sub(/:.*/, "", target)
    text = $0; sub(/.*## /, "", text)
    printf "  make %-16s %s\n", target, text
}
