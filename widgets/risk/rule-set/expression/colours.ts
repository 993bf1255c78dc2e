import { Decoration, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { isFact } from '../../../../core/rules/risk/facts.ts'

const token =
  /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\b\d+(?:\.\d+)?\b)|(\b(?:true|false|in)\b)|(\b(?:has|size|inList|days|startsWith|endsWith|contains)(?=\())|(\b[A-Za-z]\w*\.[A-Za-z]\w*)|(&&|\|\||[!=<>]=|[<>!+\-*/%?:])/g
const kinds = ['string', 'number', 'word', 'function', 'fact', 'sign'] as const

/** What a part of an expression is; the colours are those of the theme. */
export const kindOf = (match: RegExpMatchArray): string => {
  const kind = kinds[kinds.findIndex((_, at) => match[at + 1] !== undefined)] ?? 'sign'
  return kind === 'fact' && !isFact(match[0]) ? 'unknown' : kind
}

const decorator = new MatchDecorator({
  regexp: token,
  decoration: match => Decoration.mark({ class: `mk-ex-${kindOf(match)}` }),
})

/** Draws facts, values, functions and signs in colours of their own. */
export const coloured = ViewPlugin.define(
  view => ({
    marks: decorator.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = decorator.updateDeco(update, this.marks)
    },
  }),
  { decorations: plugin => plugin.marks },
)
