# One issue from its beginning to its end, as an agent works it.
. "$LIB"
repository

id=$(tissue new "Login fails" -b "Since yesterday" -p 1 --quiet)
blocked=$(tissue new "Write the release notes" --blocked-by "$id" --quiet)
tissue ready --quiet >seen
echo "$id" | expect_same seen

expect_ok tissue claim "$id" --as alice
expect_code 5 tissue claim "$id" --as bob
grep -q alice err || fail "the holder is not named: $(cat err)"
expect_ok tissue close "$id" --reason "Fixed" --as alice
tissue ready --quiet >seen
echo "$blocked" | expect_same seen
expect_code 3 tissue show nothing-like-this
