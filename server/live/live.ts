import { beatMs, livePath } from '../../core/contract/common/live.ts'
import { text } from '../../core/i18n/server.ts'
import type { Database } from '../db/database.ts'
import { twoTokens } from '../http/defence/two-tokens.ts'
import { Fault } from '../http/fault.ts'
import { newRequestId, spokenIn, tokenOf } from '../http/request.ts'
import type { Log } from '../log.ts'
import { rightsOf } from '../rights/held-rights.ts'
import { authenticate, liveSessions, type Session } from '../session/session.ts'
import { eventsAfter, isAfter, type Logged, markOf } from './event-log.ts'
import { Stream } from './stream.ts'

const tickMs = 1_000
/** Most streams of one session; a further one ends the oldest. */
const maxPerSession = 6

/** The event streams of all open consoles of this process. */
export type Live = {
  /** Answers a request for the stream: the stream, or why there is none. */
  open(request: Request): Promise<Response>
  /** Ends all streams: nothing may keep a server from stopping. */
  close(): void
}

type LiveOptions = {
  db: Database
  log: Log
  /** Names of the caller's queues whose counts moves of these machines may have changed. */
  queuesOf: (session: Pick<Session, 'perms'>, moved: ReadonlySet<string>) => string[]
  tickMs?: number
  beatMs?: number
}

type Open = { streams: ReadonlySet<Stream>; moved: Set<string> }

/** What the open streams hear, and whether their sessions are still good. */
const telling = ({ db, queuesOf }: Pick<LiveOptions, 'db' | 'queuesOf'>, { streams, moved }: Open) => {
  const deliver = async (stream: Stream, { event, xid, eventNo }: Logged) => {
    stream.mark = { xid, eventNo }
    if (event === 'perms.changed')
      stream.session = { ...stream.session, ...(await db.read(tx => rightsOf(tx, stream.session.userNo))) }
    stream.tell({ event })
    if (event === 'session.revoked') stream.close()
  }
  const tellPeople = async () => {
    const open = [...streams]
    const from = open.map(stream => stream.mark).reduce((a, b) => (isAfter(a, b) ? b : a))
    const { mark, events } = await db.read(tx =>
      eventsAfter(
        tx,
        open.map(stream => stream.session.userNo),
        from,
      ),
    )
    for (const stream of open) {
      const { userNo, sessionNo } = stream.session
      for (const event of events)
        if (
          event.userNo === userNo &&
          (event.sessionNo === null || event.sessionNo === sessionNo) &&
          isAfter(event, stream.mark)
        )
          await deliver(stream, event)
      if (isAfter(mark, stream.mark)) stream.mark = mark
    }
  }
  const tellQueues = () => {
    const machines = new Set(moved)
    moved.clear()
    for (const stream of streams) {
      const queues = queuesOf(stream.session, machines)
      if (queues.length) stream.tell({ event: 'queue.changed', queues })
    }
  }
  const beat = async () => {
    const good = await db.read(tx =>
      liveSessions(
        tx,
        [...streams].map(stream => stream.session.sessionNo),
      ),
    )
    for (const stream of [...streams]) {
      if (good.has(stream.session.sessionNo)) stream.beat()
      else {
        stream.tell({ event: 'session.revoked' })
        stream.close()
      }
    }
  }
  return { tellPeople, tellQueues, beat }
}

/** Whose stream it is, and after which event it begins. */
const begun = (db: Database, request: Request) =>
  db.read(async tx => {
    const found = await authenticate(tx, tokenOf(request.headers), spokenIn(request.headers), { listens: true })
    const { mark: now } = await eventsAfter(tx, [], null)
    const asked = markOf(request.headers.get('last-event-id'))
    return { session: found, mark: asked && !isAfter(asked, now) ? asked : now }
  })

const refusedBy = (fault: Fault, request: Request): Response => {
  const body = {
    code: fault.code,
    msg: text(spokenIn(request.headers), fault.key, fault.params as Record<string, string>),
    data: fault.data,
  }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

/**
 * Tells open consoles what was committed. Events of people come from the database, so they survive a restart and reach
 * every process; that a queue may have changed is heard in this process only, and Home also looks by itself.
 */
export const liveEvents = (o: LiveOptions): Live => {
  const refuseTwo = twoTokens(o.db)
  const { db, log } = o
  const streams = new Set<Stream>()
  const moved = new Set<string>()
  const beatEvery = Math.max(1, Math.round((o.beatMs ?? beatMs) / (o.tickMs ?? tickMs)))
  let timer: NodeJS.Timeout | undefined
  let ticks = 0
  let running = false
  db.onMoved(machine => void (streams.size && moved.add(machine)))

  const { tellPeople, tellQueues, beat } = telling(o, { streams, moved })
  const tick = async () => {
    if (running || !streams.size) return
    running = true
    try {
      await tellPeople()
      if (moved.size) tellQueues()
      if (++ticks % beatEvery === 0) await beat()
    } catch (error) {
      log.warn({ event: 'live', err: error }, 'open consoles could not be notified')
    } finally {
      running = false
    }
  }
  const gone = (stream: Stream) => {
    streams.delete(stream)
    if (streams.size) return
    clearInterval(timer)
    timer = undefined
    moved.clear()
  }

  return {
    async open(request) {
      try {
        await refuseTwo({ headers: request.headers, ip: null, requestId: newRequestId() }, livePath)
        const { session, mark } = await begun(db, request)
        const own = [...streams].filter(stream => stream.session.sessionNo === session.sessionNo)
        if (own.length >= maxPerSession) own[0]?.close()
        const stream = new Stream(session, mark, gone)
        streams.add(stream)
        timer ??= setInterval(() => void tick(), o.tickMs ?? tickMs)
        stream.tell({ event: 'ready' })
        return stream.response
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return refusedBy(error, request)
      }
    },
    close() {
      for (const stream of [...streams]) stream.close()
    },
  }
}
