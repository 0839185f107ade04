import { request } from 'node:https'

/** Settings of the connection that reports are sent over. */
export const connection = { host: 'reports.example', port: 443 }

/** Sends a report; the caller handles the answer. */
export function upload(report: string) {
  const call = request({ ...connection, method: 'POST', path: '/reports' })
  call.end(report)
  return call
}

/** A token that lets others read an uploaded report. */
export function shareToken(): string {
  const token = Math.random().toString(36).slice(2)
  return token
}
