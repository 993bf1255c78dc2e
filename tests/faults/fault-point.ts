import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { FaultPoint } from '../../server/fault-point.ts'

type Under = { name: string; hits: Map<FaultPoint, number> }

/** `FAULT_AT=point@name#nth=deed`: what happens at the nth time that a call or job of that name comes to a point. */
const read = (text: string | undefined) => {
  if (!text) return undefined
  const match = /^([\w-]+)@([^#]+)#(\d+)=(kill|throw|pause)$/.exec(text)
  if (!match) throw new Error(`FAULT_AT=${text} says nothing: it is point@name#nth=kill|throw|pause`)
  const [, point, name, nth, deed] = match
  return { point, name, nth: Number(nth), deed }
}

const wanted = read(process.env.FAULT_AT)
const under = new AsyncLocalStorage<Under>()
let isDone = false

const act = async (deed: string | undefined): Promise<void> => {
  process.stderr.write(`fault: ${process.env.FAULT_AT}\n`)
  if (deed === 'throw') throw new Error('a fault that a test wanted')
  if (deed === 'pause') return pause(2_500)
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

/** Stands for the product's own function of this name, which does nothing. */
export const faultPoint = (point: FaultPoint, name?: string): Promise<void> | undefined => {
  if (!wanted || isDone) return undefined
  if (name !== undefined) under.enterWith({ name, hits: new Map() })
  const now = under.getStore()
  if (!now || now.name !== wanted.name || point !== wanted.point) return undefined
  const hits = (now.hits.get(point) ?? 0) + 1
  now.hits.set(point, hits)
  if (hits !== wanted.nth) return undefined
  isDone = true
  return act(wanted.deed)
}
