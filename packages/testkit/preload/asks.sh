#!/bin/sh
# A tool that a run under test calls: the process that stays answers for it, one call after the other. What it does not
# answer for is a process of its own.
here=${0%/*} tool=${0##*/}
case $tool:$1 in
tissue:ready | tissue:show | tissue:claim | tissue:close | tissue:release | tissue:reopen | tissue:status) ;;
tissue:comment | tissue:list | tissue:history | *:--version) ;;
*) exec "$here/real/$tool" "$@" ;;
esac
# From within a sandbox it is not seen. One that has died and was not waited for yet answers no more.
{ read -r server <"$here/pid" && read -r _ _ state _ <"/proc/$server/stat" && [ "$state" != Z ] && [ -w "$here/lock" ]; } 2>/dev/null ||
  exec "$here/real/$tool" "$@"
exec 9>>"$here/lock"
flock 9
for last; do :; done
[ "$last" != - ] || cat >"$here/in"
echo $$ >"$here/ask"
# The answer to one who was killed meanwhile is passed over.
asked='' code=''
while [ "$asked" != $$ ] && read -r asked code; do :; done <"$here/answers"
[ ! -s "$here/out" ] || cat "$here/out"
[ ! -s "$here/err" ] || cat "$here/err" >&2
exit "${code:-70}"
