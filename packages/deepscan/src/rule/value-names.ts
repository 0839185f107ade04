// What is known of values by the names of members and functions, in all languages at once: no two of them mean
// different things by one.

const request = '(?:req|request|ctx\\.req|ctx\\.request|this\\.request|self\\.request|flask\\.request|c\\.Request|r)'
const requestParts =
  'query|body|params|headers|cookies|url|originalUrl|args|form|values|json|GET|POST|FILES|data|files|query_params|' +
  'path_params|get_json|FormValue|PostFormValue|URL|Form|Header|Body|param|get_data|COOKIES|META|match_info'

const externals = [
  new RegExp(`^${request}\\.(?:${requestParts})\\b`),
  /^ctx\.(?:query|params)\b/,
  /^event\.(?:queryStringParameters|pathParameters|body)\b/,
  /^(?:process\.argv|sys\.argv|os\.Args)\b/,
  /^(?:window\.|document\.)?location\.(?:hash|search|href)\b/,
  /^document\.(?:URL|referrer|cookie)\b/,
  /^(?:input|raw_input)\(/,
]

/** Whether somebody outside of the program decides the value of a chain of members or of a call. */
export function isExternal(text: string): boolean {
  return externals.some((pattern) => pattern.test(text))
}

const constantNames =
  /^(?:[A-Z][A-Z0-9_]*|__dirname|__filename|__file__|__name__|process\.(?:version|execPath|pid|platform|arch|versions\.\w+)|sys\.(?:executable|platform|version)|os\.(?:sep|linesep|name|EOL|devnull)|import\.meta\.\w+|.+\.length|NaN|Infinity)$/

/** Whether the value is the same at each run, or a number. */
export function isConstantName(name: string): boolean {
  return constantNames.test(name)
}

const harmless =
  /^(?:Number|parseInt|parseFloat|Number\.\w+|Math\.\w+|Boolean|BigInt|Date\.now|int|float|len|bool|hash|id|ord|round|time\.time|os\.getpid|strconv\.\w+|len|process\.(?:cwd|hrtime|uptime)|shlex\.(?:quote|join)|pipes\.quote|shell-quote\.quote|shell-escape|crypto\.random\w+|uuid\.\w+|secrets\.\w+|encodeURIComponent|(?:.*\.)?(?:shellescape|shellEscape|shell_quote|shellQuote|escapeShellArg|escapeshellarg|toFixed|getTime|indexOf|hexdigest))$/

/** Whether the function gives a number, or a text without a sign that a shell or a database takes for its own. */
export function isHarmless(name: string): boolean {
  return harmless.test(name)
}

const kept =
  /(?:^|\.)(?:String|str|unicode|toString|trim|trimEnd|trimStart|strip|rstrip|lstrip|lower|upper|toLowerCase|toUpperCase|encode|decode|replace|replaceAll|slice|substring|substr|split|filter|map|reverse|bytes|Buffer\.from|repr|list|tuple|dedent|TrimSpace|get|Get)$/

/** Whether what comes out of the function is what goes in, in another shape. */
export function keepsText(name: string): boolean {
  return kept.test(name)
}
