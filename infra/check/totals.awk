# Adds up the results of all test binaries. Fails if no test ran.
/^test result:/ {
    for (field = 1; field < NF; field++) {
        if ($(field + 1) ~ /^passed/) passed += $field
        if ($(field + 1) ~ /^failed/) failed += $field
        if ($(field + 1) ~ /^ignored/) skipped += $field
    }
}
END {
    printf "tests: %d passed, %d failed, %d skipped\n", passed, failed, skipped
    if (passed + failed == 0) {
        print "no test matches"
        exit 1
    }
}
