import { Window } from 'happy-dom'
import { runnerImport } from 'vite'
import type { z } from 'zod'
import { cssSheets, radixShadow, radixThemes } from '../build/bundle/plugins.ts'
import type { ListEndpoint } from '../core/contract/endpoint.ts'
import { metaOf } from '../core/contract/fields.ts'
import type { openKit } from '../server/testing/kit.ts'

type Kit = Awaited<ReturnType<typeof openKit>>
type As = Awaited<ReturnType<Kit['person']>>
type Row = Record<string, unknown>
type Answer = { list: Row[]; total: number }

/** Fewer rows are found fast by any means. */
const long = 10_000
/** A call may take this many times as long as the first page of the same list without a filter. */
const most = 4

/** What a filter is set to: what one of the rows shown has. */
const askedBy = (list: ListEndpoint, name: string, rows: readonly Row[]): unknown => {
  const schema = list.filters[name] as z.ZodType | undefined
  const held = rows.map(row => row[name]).find(value => value !== null && value !== undefined && value !== '')
  if (!schema || held === undefined) return undefined
  const { range, many, kind } = metaOf(schema as never)
  const day = String(held).slice(0, 10)
  const given = range ? (kind === 'time' ? [day, day] : [held, held]) : many ? [held].flat() : held
  return schema.safeParse(given).success ? given : undefined
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Every preset and every single filter of every list that has grown long, beside the same list's first page: what lacks an index is
 * named. Prints one line for each list, and one for each call that takes more than {@link most} times as long.
 */
export const everyFilter = async (kit: Kit, as: As): Promise<void> => {
  const ask = async (list: ListEndpoint, input: Row) => {
    const times: number[] = []
    let answer: Answer | undefined
    for (let round = 0; round < 5; round++) {
      const started = performance.now()
      const { code, data } = await kit.call(list, { pageNum: 1, pageSize: 20, ...input } as never, { as })
      times.push(performance.now() - started)
      if (code !== 0) return undefined
      answer = data as unknown as Answer
      if (round && times[0] && times[0] > 2_000) break
    }
    return answer && { ...answer, took: median(times.slice(1)) }
  }
  const { CSSStyleSheet, HTMLElement, customElements } = new Window()
  Object.assign(globalThis, { CSSStyleSheet, HTMLElement, customElements })
  const { module } = await runnerImport<typeof import('./list-screens.ts')>('./bench/list-screens.ts', {
    plugins: [{ ...cssSheets(), enforce: 'pre' }, radixThemes(), radixShadow()],
  })
  for (const { tag, screen } of module.listScreens) {
    const list = screen.list as ListEndpoint
    const first = await ask(list, {})
    if (!first || first.total < long) continue
    const single = Object.keys(list.filters).flatMap(name => {
      const value = askedBy(list, name, first.list)
      return value === undefined ? [] : [[name, { [name]: value }] as const]
    })
    const presets = (screen.presets ?? []).map(preset => [preset.label, preset.filters as Row] as const)
    let slow = 0
    for (const [name, filters] of [...presets, ...single]) {
      const answer = await ask(list, filters)
      const times = answer ? answer.took / first.took : 0
      if (times <= most) continue
      slow += 1
      console.log(
        `  ${tag} ${name} ${JSON.stringify(filters)}: ${answer?.took.toFixed(0)} ms, ${times.toFixed(1)} times`,
      )
    }
    const asked = `${presets.length} presets, ${single.length} of ${Object.keys(list.filters).length} filters`
    console.log(`${tag.padEnd(52)}${first.took.toFixed(1).padStart(8)} ms; ${asked}: ${slow} over ${most} times`)
  }
}
