import type { ConfigRow } from '../../core/contract/config.ts'
import { type HitRow, sensitiveWord, sensitiveWords } from '../../core/contract/operation/sensitive-word.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { MarkedText } from './sensitive-word/marked-text.tsx'
import { ScopeWords } from './sensitive-word/scope-words.tsx'
import { TestPanel } from './sensitive-word/test-panel.tsx'
import { WordHits } from './sensitive-word/word-hits.tsx'

type WordRow = ConfigRow<typeof sensitiveWords>

const words = configScreen({
  config: sensitiveWords,
  filters: ['word', 'wordLanguage', 'category', 'wordAction', 'scope'],
  columns: [
    'word',
    'wordLanguage',
    'category',
    { id: 'scopes', cell: (row: WordRow) => <ScopeWords values={row.scopes} /> },
    'wordAction',
    'hitCount',
    'lastHitTime',
  ],
  more: ['replacement', 'wordNo'],
  settings: ['word', 'wordLanguage', 'category', 'scopes', 'wordAction', 'replacement', 'hitCount', 'lastHitTime'],
  saved: ({ key, created, existing }) =>
    key !== null && created === 0 ? 'config.saved' : { key: 'sensitiveWord.created', params: { created, existing } },
  confirm: {
    enable: 'sensitiveWord.confirmEnable',
    disable: 'sensitiveWord.confirmDisable',
    delete: 'sensitiveWord.confirmDelete',
  },
  confirmMany: {
    enable: 'sensitiveWord.confirmEnableAll',
    disable: 'sensitiveWord.confirmDisableAll',
    delete: rows => ({
      key: 'sensitiveWord.confirmDeleteAll',
      params: { n: rows.length, hits: rows.reduce((sum, row: WordRow) => sum + row.hitCount, 0) },
    }),
  },
  tabs: [{ name: 'hits', label: 'sensitiveWord.hits', body: row => <WordHits wordNo={row.wordNo} /> }],
  toolbar: [{ label: 'sensitiveWord.test', needs: { perm: sensitiveWord.test.perm }, dialog: TestPanel }],
  also: [sensitiveWord.test, sensitiveWord.hitSums, sensitiveWord.hits],
})

const hits = listScreen({
  list: sensitiveWord.hits,
  rowKey: 'hitNo',
  presets: [
    { label: 'sensitiveWord.all', filters: {} },
    { label: 'sensitiveWord.lastWeek', filters: { hitTime: 'last7' } },
    { label: 'sensitiveWord.blockedOnly', filters: { wordAction: ['block'] } },
  ],
  filters: ['hitTime', 'userNo', 'scope', 'wordAction'],
  columns: [
    'hitTime',
    'realName',
    'scope',
    'word',
    { id: 'hitText', width: 420, cell: (row: HitRow) => <MarkedText row={row} /> },
    'wordAction',
    'objectNo',
  ],
})

/** Compliance staff keep threats, insults, shaming and false claims out of every text that staff or campaigns send. */
export default tabbed([
  { name: 'words', label: 'sensitiveWord.words', screen: words },
  { name: 'hits', label: 'sensitiveWord.hits', screen: hits },
])
