import { createServer, type Socket } from 'node:net'
import { error, type Handler, jsonOf, type Route } from '../network/http.ts'
import { openRecord } from '../network/record.ts'
import { readMail } from './read-mail.ts'

/** How the server behaves: takes letters, refuses the receiver, asks to come back, or takes a letter and loses the answer. */
export const modes = ['ok', 'refuse', 'later', 'lost', 'down'] as const
export type Mode = (typeof modes)[number]

type Entry = { entry: 'mail'; at: string; from: string; to: string; subject: string; body: string }

const shown = 500
const maxBytes = 256 * 1024

/** What a receiver's name asks for, whatever the mode: `refused@…`, `later@…`, `lost@…`. */
const modeFor = (to: string, mode: Mode): Mode => {
  const [name = ''] = to.toLowerCase().split('@')
  if (name.startsWith('refused')) return 'refuse'
  if (name.startsWith('later')) return 'later'
  return name.startsWith('lost') ? 'lost' : mode
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''

/** A mail server that keeps what it is given and brings it to nobody: as much of SMTP (RFC 5321) as one sender needs. */
export const openMailServer = ({ dir }: { dir: string }) => {
  const record = openRecord<Entry>(dir, 'mails')
  const mails = [...record.entries]
  let mode: Mode = 'ok'

  const converse = (socket: Socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let [held, from, to] = ['', '', '']
    let isData = false
    const keep = (text: string) => {
      const raw = Buffer.from(text, 'latin1').toString().replace(/^\.\./gm, '.')
      const mail: Entry = { entry: 'mail', at: new Date().toISOString(), from, to, ...readMail(raw) }
      record.append(mail)
      mails.push(mail)
      if (modeFor(to, mode) === 'lost') return void socket.destroy()
      say('250 2.0.0 taken')
    }
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') return say('250 mail-sim')
      if (verb === 'MAIL') from = addressIn(line)
      if (verb === 'RCPT') {
        to = addressIn(line)
        const then = modeFor(to, mode)
        if (then === 'refuse') return say('550 5.1.1 no such mailbox')
        if (then === 'later') return say('451 4.3.0 try again later')
      }
      if (verb === 'DATA') {
        isData = true
        return say('354 go on')
      }
      if (verb === 'QUIT') {
        say('221 bye')
        return void socket.end()
      }
      say(['MAIL', 'RCPT', 'RSET', 'NOOP'].includes(verb) ? '250 2.0.0 ok' : '502 5.5.2 not known')
    }
    const read = () => {
      for (;;) {
        const end = isData ? held.indexOf('\r\n.\r\n') : held.indexOf('\r\n')
        if (end < 0) return
        const part = held.slice(0, end)
        held = held.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          keep(part)
        } else command(part)
      }
    }
    socket.setEncoding('latin1')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: string) => {
      held += chunk
      if (held.length > maxBytes) return void socket.destroy()
      read()
    })
    say('220 mail-sim ready')
  }

  const server = createServer(socket => {
    if (mode === 'down') socket.destroy()
    else converse(socket)
  })

  const change: Handler = call => {
    const next = modes.find(one => one === jsonOf(call)?.mode)
    if (!next) return error(400, 'UNKNOWN_MODE', `mode is one of ${modes.join(', ')}`)
    mode = next
    return { status: 200, body: {} }
  }
  const list: Handler = () => ({
    status: 200,
    body: {
      modes: { mail: mode },
      messages: mails
        .slice(-shown)
        .reverse()
        .map(({ entry: _, ...mail }) => mail),
    },
  })
  const routes: Route[] = [
    ['POST', /^\/_sim\/switch$/, change],
    ['GET', /^\/_sim\/messages$/, list],
    ['GET', /^\/health$/, () => ({ status: 200, body: { status: 'ok' } })],
  ]
  return {
    server,
    routes,
    close() {
      server.close()
      record.close()
    },
  }
}
