# Prints the listed outcomes that no test caused, and the outcomes that are not listed.
# The first file has the outcomes of the last `make test`. The second file is outcomes.txt.
FNR == NR { caused[$0] = 1; next }
{ listed[$0] = 1; if (!($0 in caused)) print "no test causes: " $0 }
END {
    for (outcome in caused) if (!(outcome in listed)) print "not in infra/check/outcomes.txt: " outcome
}
