import { codes } from '../contract/codes.ts'
import { beatMs, LiveEvent, livePath } from '../contract/common/live.ts'
import { blockReader, pauseBefore } from './event-stream.ts'

type Given = {
  token: string
  language: string
  hear: (event: LiveEvent) => void
}

const parsed = (event: string, data: string): LiveEvent | null => {
  try {
    return LiveEvent.parse({ ...JSON.parse(data), event })
  } catch {
    return null
  }
}

/** Until the page is looked at. */
const visible = (stop: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const look = () => {
      if (document.visibilityState !== 'visible' && !stop.aborted) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    stop.addEventListener('abort', look)
    look()
  })

const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    stop.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Hears what changed, until it is closed. The token travels in the headers. A line that breaks or falls silent is opened
 * again where it ended; while nobody looks at the page there is none, because a browser has few of them.
 * @returns the way to close it
 */
export const openLive = ({ token, language, hear }: Given): (() => void) => {
  const stop = new AbortController()
  let lastId: string | undefined
  let attempt = 0

  const connect = async (line: AbortController) => {
    let silence = setTimeout(() => line.abort(), 3 * beatMs)
    try {
      const answer = await fetch(livePath, {
        headers: {
          token,
          Authorization: `Bearer ${token}`,
          language,
          ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
        },
        credentials: 'omit',
        cache: 'no-store',
        signal: line.signal,
      })
      if (answer.headers.get('content-type')?.includes('json')) {
        const { code } = (await answer.json()) as { code?: number }
        if (code === codes.signedOut) hear({ event: 'session.revoked' })
        return
      }
      if (!answer.ok || !answer.body) return
      const read = blockReader()
      const text = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let next = await text.read(); !next.done; next = await text.read()) {
        clearTimeout(silence)
        silence = setTimeout(() => line.abort(), 3 * beatMs)
        for (const { id, event, data } of read(next.value)) {
          lastId = id ?? lastId
          const heard = event === undefined ? null : parsed(event, data)
          if (heard?.event === 'ready') attempt = 0
          if (heard && !stop.signal.aborted) hear(heard)
        }
      }
    } finally {
      clearTimeout(silence)
    }
  }

  const run = async () => {
    while (!stop.signal.aborted) {
      await visible(stop.signal)
      if (stop.signal.aborted) return
      const line = new AbortController()
      const hidden = () => void (document.visibilityState === 'hidden' && line.abort())
      const closed = () => line.abort()
      document.addEventListener('visibilitychange', hidden)
      stop.signal.addEventListener('abort', closed)
      await connect(line).catch(() => undefined)
      document.removeEventListener('visibilitychange', hidden)
      stop.signal.removeEventListener('abort', closed)
      if (document.visibilityState === 'visible') await pause(pauseBefore(attempt++), stop.signal)
    }
  }
  void run()
  return () => stop.abort()
}
