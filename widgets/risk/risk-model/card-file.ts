import { z } from 'zod'

const text = z.union([z.string(), z.number()]).transform(String)
const Bin = z.object({
  from: text.nullish(),
  to: text.nullish(),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish(),
  points: z.int(),
})
const File = z.object({
  basePoints: z.int(),
  scoreMin: z.int(),
  scoreMax: z.int(),
  attributes: z.array(z.object({ fact: z.string(), bins: z.array(Bin), missing: z.int() })).min(1),
})

/** A scorecard as its JSON file holds it: attributes with bins, and points when missing. Null where it is none. */
export const cardOf = (json: string) => {
  let body: unknown
  try {
    body = JSON.parse(json)
  } catch {
    return null
  }
  const file = File.safeParse(body)
  if (!file.success) return null
  const { attributes, ...range } = file.data
  const given = (name: string, value: string | null | undefined) => (value == null ? {} : { [name]: value })
  const bins = attributes.flatMap(({ fact, bins, missing }) => [
    ...bins.map(bin => ({
      fact,
      ...given('binFrom', bin.from),
      ...given('binTo', bin.to),
      ...given('binValue', bin.value),
      points: bin.points,
    })),
    { fact, points: missing },
  ])
  return { ...range, bins }
}
