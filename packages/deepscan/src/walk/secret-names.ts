const names =
  /^(\.env(\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|\.git-credentials|credentials(\.json|\.csv)?|id_(rsa|dsa|ecdsa|ed25519)|secrets?\.(ya?ml|json|toml|env)|.+\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc))$/i
const samples = /\.(example|sample|template|dist)$/i

/** Whether a file is one that people keep secrets in, by its name. */
export function isSecretName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return names.test(name) && !samples.test(name)
}
