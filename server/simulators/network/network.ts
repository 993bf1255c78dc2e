import { randomUUID } from 'node:crypto'
import { type Behaviour, behaviourOf, isRequestCase, type PayInCase, type Step } from './cases.ts'
import type { CallbackCall, Channel } from './channel.ts'
import { type Operation, shownOf } from './operation.ts'
import { type Movement, openRecord, type Request } from './record.ts'
import type { Seeded } from './scenarios.ts'
import { defaultMix } from './seed.ts'

/** The two accounts that the lender holds with the network. */
export const payoutAccount = 'disbursement'
export const collectionAccount = 'collection'

export type NetworkOptions = {
  channel: Channel
  dir: string
  /** Divides delays under ten seconds. */
  speed: number
  openingBalance: number
  callbackUrl: string | null
  /** Delivers one callback; its failure is ignored. */
  deliver: (url: string, call: CallbackCall) => Promise<void>
}

export type PayIn = {
  account: string
  reference: string
  payer: string
  amount: number
  code: PayInCase
  serialNo?: string
}

const concluded = (variant: string | null) => (variant === 'TF' ? 'fail' : variant === 'unpaid' ? 'rest' : 'succeed')

const lineOf = (movement: Movement): number =>
  movement.direction === 'in' ? movement.amount - movement.fee : -movement.amount - movement.fee

/** The network itself: operations, what moved because of them, its own clock. All of it is rebuilt from the record. */
export const openNetwork = ({ channel, dir, speed, openingBalance, callbackUrl, deliver }: NetworkOptions) => {
  const record = openRecord(dir, channel.file)
  const operations = new Map<string, Operation>()
  const open = new Set<Operation>()
  const moved: (Movement & { at: string })[] = []
  const balances = new Map<string, number>()
  const holders = new Map<string, string>()
  const turnedAway = new Map<string, { party: string; code: Request['code']; variant: string | null; times: number }>()
  const metOf = new Map<string, number>()
  let seeded: Seeded = { seed: null, mix: defaultMix }
  /** After a failure for our own want of money the next look at the balance must agree with it. */
  let shortFor: number | null = null
  /** Callbacks that were on their way when the network ended: they go out again. */
  const undelivered = new Map<string, { operation: Operation; step: number }>()
  let telling = 0
  let skew = 0
  let closed = false

  const now = () => Date.now() + skew
  const stamp = () => new Date(now()).toISOString()
  const seconds = (after: number) => (after < 10 ? after / speed : after)
  const balance = (account: string) => balances.get(account) ?? 0

  const apply = (movement: Movement, at: string) => {
    moved.push({ ...movement, at })
    balances.set(movement.account, balance(movement.account) + lineOf(movement))
  }

  /** Counts the operations of a party; what was turned away counts once. */
  const meet = (ref: string, party: string) => {
    if (!operations.has(ref) && !turnedAway.has(ref)) metOf.set(party, (metOf.get(party) ?? 0) + 1)
  }

  const register = (request: Request, at: number): Operation => {
    meet(request.ref, request.party)
    const operation: Operation = {
      request,
      at,
      asks: 0,
      done: 0,
      status: 'PENDING',
      reason: null,
      serialNo: null,
      delivered: Promise.resolve(),
    }
    operations.set(request.ref, operation)
    if (behaviourOf(request.code).steps.length > 0) open.add(operation)
    return operation
  }

  const finishStep = (operation: Operation) => {
    operation.done += 1
    if (operation.done >= behaviourOf(operation.request.code).steps.length) open.delete(operation)
  }

  for (const line of record.entries) {
    if (line.entry === 'clock') skew += line.seconds * 1000
    if (line.entry === 'holder') holders.set(line.phone, line.name)
    if (line.entry === 'seed') seeded = { seed: line.seed, mix: line.mix }
    if (line.entry === 'turnedAway') {
      const { ref, party, code, variant } = line
      meet(ref, party)
      turnedAway.set(ref, { party, code, variant, times: (turnedAway.get(ref)?.times ?? 0) + 1 })
    }
    if (line.entry === 'request') register(line.request, Date.parse(line.at))
    if (line.entry === 'step') {
      const operation = operations.get(line.ref)
      if (!operation) continue
      operation.status = line.status
      operation.reason = line.reason
      operation.serialNo = line.serialNo
      if (line.tells) undelivered.set(`${line.ref} ${operation.done}`, { operation, step: operation.done })
      finishStep(operation)
    }
    if (line.entry === 'delivered') undelivered.delete(`${line.ref} ${line.step}`)
    if ('moved' in line && line.moved) apply(line.moved, line.at)
  }

  const newSerial = () => channel.serialOf(new Date(now()), moved.length)

  const movementOf = (operation: Operation, behaviour: Behaviour): Movement => {
    const { request } = operation
    const before = request.code === 'R09' ? moved.findLast(m => m.kind === 'payIn') : undefined
    const serialNo = request.serialNo ?? before?.serialNo ?? newSerial()
    return {
      kind: request.product === 'transfer' ? 'payout' : 'payIn',
      account: request.account,
      direction: request.product === 'transfer' ? 'out' : 'in',
      ref: request.ref,
      externalId: request.externalId,
      serialNo,
      amount: request.amount,
      fee: behaviour.fees ? 250 + 50 * (moved.length % 10) : 0,
      counterparty: request.party,
      message: request.message,
      onStatement: !behaviour.offStatement,
      code: request.code,
    }
  }

  const urlOf = ({ request }: Operation) => request.callbackUrl ?? callbackUrl

  /** Sends the callback of a step; it is on record as on its way until it arrived or was given up. */
  const tell = (operation: Operation, step: number) => {
    const url = urlOf(operation)
    const { steps, forged } = behaviourOf(operation.request.code)
    const deed = steps[step]
    if (!url || deed?.do !== 'tell') return
    const call = channel.callback(operation, { lie: deed.lie, forgedSerial: forged ? newSerial() : null })
    telling += 1
    operation.delivered = operation.delivered
      .then(() => deliver(url, call))
      .catch(() => undefined)
      .finally(() => {
        telling -= 1
        if (!closed) record.append({ entry: 'delivered', at: stamp(), ref: operation.request.ref, step })
      })
  }

  const perform = (operation: Operation, step: Step) => {
    const { request } = operation
    const behaviour = behaviourOf(request.code)
    let { status, reason, serialNo } = operation
    const deed = step.do === 'conclude' ? concluded(request.variant) : step.do
    let movement: Movement | undefined
    if (deed === 'succeed' && !behaviour.forged) {
      const wanted = movementOf(operation, behaviour)
      const covered = wanted.direction === 'in' || balance(wanted.account) >= wanted.amount + wanted.fee
      movement = covered ? wanted : undefined
      status = covered ? 'SUCCESSFUL' : 'FAILED'
      reason = covered ? null : channel.failure.funds
      serialNo = movement?.serialNo ?? null
    }
    if (deed === 'fail') {
      const worded = isRequestCase(request.code) && channel.variants[request.code] !== undefined
      const word = (worded ? request.variant : null) ?? channel.failure.general
      if (request.code === 'G18') shortFor = request.amount
      status = 'FAILED'
      reason = request.product === 'transfer' ? word : channel.payerReason(word)
    }
    if (deed === 'moveAgain' && status === 'SUCCESSFUL') movement = movementOf(operation, behaviour)
    if (deed === 'giveBack' && status === 'SUCCESSFUL') {
      const first = movementOf(operation, behaviour)
      movement =
        first.direction === 'out'
          ? { ...first, kind: 'return', direction: 'in' }
          : { ...first, kind: 'reversal', direction: 'out' }
    }
    const at = stamp()
    const number = operation.done
    record.append({
      entry: 'step',
      at,
      ref: request.ref,
      status,
      reason,
      serialNo,
      ...(movement ? { moved: movement } : {}),
      ...(step.do === 'tell' && urlOf(operation) ? { tells: true } : {}),
    })
    if (movement) apply(movement, at)
    Object.assign(operation, { status, reason, serialNo })
    finishStep(operation)
    if (step.do === 'tell') tell(operation, number)
  }

  const isDue = (operation: Operation, step: Step) =>
    (step.after === undefined && step.asks === undefined) ||
    (step.after !== undefined && now() - operation.at >= seconds(step.after) * 1000) ||
    (step.asks !== undefined && operation.asks >= step.asks)

  const advance = (operation: Operation) => {
    for (;;) {
      const step = behaviourOf(operation.request.code).steps[operation.done]
      if (!step || !isDue(operation, step)) return
      perform(operation, step)
    }
  }

  const take = (request: Request): Operation => {
    const at = stamp()
    record.append({ entry: 'request', at, request })
    const operation = register(request, Date.parse(at))
    advance(operation)
    return operation
  }

  const tick = () => {
    for (const operation of open) advance(operation)
  }
  const ticker = setInterval(tick, 20)
  for (const { operation, step } of undelivered.values()) tell(operation, step)

  const fund = (account: string, amount: number) => {
    const movement: Movement = {
      kind: 'funding',
      account,
      direction: 'in',
      ref: randomUUID(),
      externalId: '',
      serialNo: newSerial(),
      amount,
      fee: 0,
      counterparty: '',
      message: 'Top up',
      onStatement: true,
      code: null,
    }
    const at = stamp()
    record.append({ entry: 'fund', at, moved: movement })
    apply(movement, at)
  }
  if (record.entries.length === 0 && openingBalance > 0) fund(payoutAccount, openingBalance)

  return {
    now,
    balance,
    /** What the network tells of our payout account. */
    shownBalance() {
      const own = balance(payoutAccount)
      const shown = shortFor === null ? own : Math.min(own, shortFor - 1)
      shortFor = null
      return shown
    },
    fund,
    take,
    seeded: () => seeded,
    /** From now on cases without a scenario are drawn; null ends it. */
    setSeed(next: Seeded) {
      record.append({ entry: 'seed', at: stamp(), ...next })
      seeded = next
    },
    /** How many operations of a party there have been. */
    met: (party: string) => metOf.get(party) ?? 0,
    /** Every request and payment that was taken in, in the order of their arrival. */
    all: (): readonly Operation[] => [...operations.values()],
    /** Callbacks that are on their way. */
    telling: () => telling,
    /** What was turned away and never taken in. */
    lost: () => [...turnedAway].flatMap(([ref, met]) => (operations.has(ref) ? [] : [{ ref, ...met }])),
    moved: moved as readonly (Movement & { at: string })[],
    holders: holders as ReadonlyMap<string, string>,
    find: (ref: string) => operations.get(ref),
    turnedAway: (ref: string) => turnedAway.get(ref),
    /** Remembers that a request was not taken in, so that its repetition meets the same case. */
    turnAway({ ref, party }: Pick<Request, 'ref' | 'party'>, code: Request['code'], variant: string | null) {
      record.append({ entry: 'turnedAway', at: stamp(), ref, party, code, variant })
      meet(ref, party)
      turnedAway.set(ref, { party, code, variant, times: (turnedAway.get(ref)?.times ?? 0) + 1 })
    },
    /** One status call; undefined when the network says it knows nothing. */
    ask(ref: string): Operation | undefined {
      const operation = operations.get(ref)
      if (!operation || behaviourOf(operation.request.code).forged) return undefined
      operation.asks += 1
      advance(operation)
      const { hiddenFor = 0 } = behaviourOf(operation.request.code)
      return now() - operation.at < hiddenFor * 1000 ? undefined : shownOf(operation)
    },
    payIn(given: PayIn): Operation {
      return take({
        product: 'payIn',
        ref: channel.newRef(),
        externalId: given.code === 'R05' ? `${given.reference}X` : given.reference,
        account: given.account,
        party: given.payer,
        amount: given.amount,
        message: 'Loan repayment',
        callbackUrl: null,
        code: given.code,
        variant: null,
        ...(given.serialNo ? { serialNo: given.serialNo } : {}),
      })
    },
    nameHolder(phone: string, name: string) {
      record.append({ entry: 'holder', at: stamp(), phone, name })
      holders.set(phone, name)
    },
    moveClock(by: number) {
      record.append({ entry: 'clock', at: stamp(), seconds: by })
      skew += by * 1000
      tick()
    },
    /** Resolves after a number of seconds of the network's clock. */
    async pass(after: number) {
      const until = now() + seconds(after) * 1000
      while (now() < until) await new Promise(resolve => setTimeout(resolve, 20))
    },
    close() {
      closed = true
      clearInterval(ticker)
      record.close()
    },
  }
}

export type Network = ReturnType<typeof openNetwork>
