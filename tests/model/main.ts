/**
 * Random lives of loans on a server, beside a model in memory: `npm run model -- --runs 300 --seed 7`. A life that parts from
 * the model is made small, printed and kept in regressions.json, which is lived first the next time; `--path` lives it again.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { alone, batchSize, type Fault, type Report, runBatches, shrunk } from './batch.ts'
import { openFixture } from './fixture.ts'
import type { Sequence } from './steps.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    path: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(2, os.availableParallelism())) },
    /** Begins nothing new after so many minutes. */
    minutes: { type: 'string', default: 'Infinity' },
    from: { type: 'string' },
    to: { type: 'string' },
    answers: { type: 'boolean', default: false },
  },
})
const [runs, seed, workers] = [Number(values.runs), Number(values.seed), Number(values.workers)]
const kept = fileURLToPath(new URL('./regressions.json', import.meta.url))
type Kept = { seed: number; path: string; sequence: Sequence }
const regressions: Kept[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []

const say = (line: string) => process.stdout.write(`${line}\n`)
const command = (path: string) => `npm run model -- --seed ${seed} --path ${path}`

/** The first of some sequences that fails by itself, made small. */
const firstShrunk = async ({ run, together = 1 }: Fault) => {
  const fixture = await openFixture({ lots: 1 })
  try {
    for (let path = run; path < run + together; path++) {
      const small = await shrunk(fixture, seed, String(path))
      if (small) return small
    }
    return null
  } finally {
    await fixture.close()
  }
}

/** Makes a fault small, keeps it, and says how it is lived again. Books that broke may be the work of any of a batch. */
const report = async (fault: Fault) => {
  const { run, together = 1, why } = fault
  say(`FAILED  sequence ${together > 1 ? `${run} to ${run + together - 1}` : run} of seed ${seed}: ${why}`)
  const small = await firstShrunk(fault)
  if (!small) return say('        alone it does not fail: it takes the others of its batch')
  say(
    `        at its smallest: ${small.why}\n${JSON.stringify(small.sequence, null, 2)}\n        again: ${command(small.path)}`,
  )
  if (!regressions.some(one => one.seed === seed && one.path === small.path))
    writeFileSync(
      kept,
      `${JSON.stringify([...regressions, { seed, path: small.path, sequence: small.sequence }], null, 2)}\n`,
    )
}

const liveAgain = async (): Promise<boolean> => {
  if (regressions.length === 0) return true
  const fixture = await openFixture({ lots: 1 })
  let isGood = true
  for (const { seed: of, path, sequence } of regressions) {
    const why = await alone(fixture, sequence)
    if (why) say(`FAILED  a sequence of regressions.json (seed ${of}, path ${path}): ${why}`)
    isGood &&= why === null
  }
  await fixture.close()
  return isGood
}

type Sum = { runs: number; steps: number; answered: Map<string, number>; faults: Fault[] }

const child = (sum: Sum, from: number, to: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = ['--seed', String(seed), '--from', String(from), '--to', String(to), '--minutes', values.minutes]
    const process: ChildProcess = fork(fileURLToPath(import.meta.url), args)
    process.on('message', (update: Report) => {
      if (update.is === 'end') {
        for (const [name, count] of update.answered) sum.answered.set(name, (sum.answered.get(name) ?? 0) + count)
        return
      }
      const before = sum.runs
      sum.runs += update.runs
      sum.steps += update.steps
      if (Math.floor(before / 500) < Math.floor(sum.runs / 500)) say(`${sum.runs} sequences, ${sum.steps} commands`)
      if (update.fault) sum.faults.push(update.fault)
    })
    process.on('exit', code => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
  })

const runAll = async (): Promise<boolean> => {
  const began = Date.now()
  if (!(await liveAgain())) return false
  const sum: Sum = { runs: 0, steps: 0, answered: new Map(), faults: [] }
  const batches = Math.ceil(runs / batchSize)
  const share = Math.ceil(batches / workers) * batchSize
  const ranges = Array.from(
    { length: workers },
    (_, index) => [index * share, Math.min(runs, (index + 1) * share)] as const,
  )
  await Promise.all(ranges.filter(([from, to]) => to > from).map(([from, to]) => child(sum, from, to)))
  for (const fault of sum.faults) await report(fault)
  if (values.answers) for (const [name, count] of [...sum.answered].sort()) say(`${String(count).padStart(7)}  ${name}`)
  const seconds = (Date.now() - began) / 1000
  say(
    `${sum.runs} sequences, ${sum.steps} commands, ${sum.faults.length} divergences (seed ${seed}) in ${seconds.toFixed(1)} s, ${(sum.runs / seconds).toFixed(1)} a second`,
  )
  return sum.faults.length === 0
}

const runOne = async (path: string): Promise<boolean> => {
  const fixture = await openFixture({ lots: 1 })
  const small = await shrunk(fixture, seed, path)
  await fixture.close()
  say(
    small
      ? `${small.why}\n${JSON.stringify(small.sequence, null, 2)}`
      : `sequence ${path} of seed ${seed} agrees with the model`,
  )
  return small === null
}

if (values.from !== undefined && process.send) {
  const send = (update: Report) => void process.send?.(update)
  const until = Date.now() + Number(values.minutes) * 60_000
  await runBatches({ seed, from: Number(values.from), to: Number(values.to), until }, send)
  process.disconnect()
} else {
  const isGood = values.path === undefined ? await runAll() : await runOne(values.path)
  process.exitCode = isGood ? 0 : 1
}
