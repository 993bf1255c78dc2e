/** Where a fault is forced: a file and words of the name of a test in it. */
type Where = readonly [file: string, test: string]

/** One fault of the list: the tests that force it, or why none does. */
export type Case = { id: `X${number}`; fault: string; by: readonly Where[]; open?: string }

const own = (file: string, test: string): Where => [`tests/faults/${file}.test.ts`, test]
const system = (file: string, test: string): Where => [`server/systems/${file}.test.ts`, test]

/** Every fault that the product must survive. A test asserts that each is forced where it says so. */
export const cases: readonly Case[] = [
  { id: 'X1', fault: 'the server dies before a commit', by: [own('points', 'X1:')] },
  {
    id: 'X2',
    fault: 'the server dies after a commit, before the answer',
    by: [own('points', 'X2: after'), own('points', 'X2: with')],
  },
  {
    id: 'X3',
    fault: 'the server dies between commit and sending',
    by: [
      own('points', 'X3: between'),
      own('points', 'X3: when'),
      system('after-loan/bank-batch/bank-folder', 'is unknown when we die between the two'),
    ],
  },
  { id: 'X4', fault: 'the server dies after sending', by: [own('points', 'X4:')] },
  {
    id: 'X5',
    fault: 'the server dies again and again under load; the power is cut',
    by: [own('kill', 'X5:'), own('disk/power-cut', 'X5:'), ['server/db/engine.test.ts', 'killed again and again']],
  },
  { id: 'X6', fault: 'PostgreSQL dies', by: [own('database-gone', 'X6:')] },
  {
    id: 'X7',
    fault: 'PostgreSQL stands still',
    by: [own('database-gone', 'X7:'), ['server/http/http.test.ts', 'is 503 within seconds']],
  },
  { id: 'X8', fault: 'the connection is lost in COMMIT', by: [own('database-gone', 'X8:')] },
  {
    id: 'X9',
    fault: 'a disk is full',
    by: [own('disk/disk-full', 'of PostgreSQL'), own('disk/disk-full', 'of the uploads')],
  },
  {
    id: 'X10',
    fault: 'deadlock or serialization failure',
    by: [
      ['server/db/database.test.ts', 'solves a deadlock'],
      ['server/db/database.test.ts', 'runs again as a whole'],
      ['server/db/database.test.ts', 'gives up after three more rounds'],
    ],
  },
  {
    id: 'X11',
    fault: 'the network answers nothing',
    by: [
      system('after-loan/payout/payout-outcome', 'G07: lost for ever'),
      system('after-loan/payout/payout-outcome', 'is asked after 1, 2, 5'),
    ],
  },
  {
    id: 'X12',
    fault: 'the network fails after it has paid',
    by: [
      system('after-loan/payout/payout-outcome', 'G04:'),
      system('after-loan/payout/payout-simulator', '%s ends as it must'),
    ],
  },
  {
    id: 'X13',
    fault: 'the network pays after it has failed',
    by: [
      system('after-loan/payout/payout-simulator', 'G08:'),
      system('after-loan/payout/payout-outcome', 'G09: replayed and sent'),
    ],
  },
  {
    id: 'X14',
    fault: 'callbacks come more than once',
    by: [
      own('callbacks', 'X14'),
      system('after-loan/flow/callback', 'G11:'),
      system('after-loan/payout/payout-race', 'the same callback ten times'),
    ],
  },
  {
    id: 'X15',
    fault: 'callbacks come out of order',
    by: [own('callbacks', 'X15: before'), own('callbacks', 'X14, X15')],
  },
  {
    id: 'X16',
    fault: 'callback and answer race',
    by: [own('callbacks', 'X16:'), system('after-loan/payout/payout-race', 'twenty answers')],
  },
  { id: 'X17', fault: 'a callback for a cancelled order', by: [system('after-loan/payout/payout-outcome', 'X17:')] },
  {
    id: 'X18',
    fault: 'the statement of the network has other lines than we',
    by: [],
    open: 'statements of networks are not read yet; the kill rounds compare the record of the network with the books themselves',
  },
  {
    id: 'X19',
    fault: 'a job dies in the middle of a batch',
    by: [
      own('day-end', 'X19:'),
      own('points', 'between two rows of a batch'),
      ['server/jobs/scheduler.test.ts', 'goes on there after a crash'],
    ],
  },
  { id: 'X20', fault: 'two schedulers', by: [own('day-end', 'X20:')] },
  { id: 'X21', fault: 'the server is down over midnight, or for days', by: [own('day-end', 'X21:')] },
  {
    id: 'X22',
    fault: 'one order of a batch is broken',
    by: [own('day-end', 'X22:'), ['server/files/imports/import-crash.test.ts', 'leaves other rows alone']],
  },
  {
    id: 'X23',
    fault: 'an import dies between rows',
    by: [['server/files/imports/import-crash.test.ts', 'between rows, or in the middle of one']],
  },
  {
    id: 'X24',
    fault: 'the answer to a form is lost',
    by: [['tests/portal/work/forms.test.ts', 'whose answer was lost']],
  },
  {
    id: 'X25',
    fault: 'the session ends while a form is open',
    by: [
      system('audit/task/audit-task', 'keeps every kind of draft over a lost session'),
      ['tests/elements/errors.test.ts', 'tells the host of a session error'],
    ],
  },
  {
    id: 'X26',
    fault: 'a new version appears while a form is open',
    by: [['tests/portal/shell.test.ts', 'later means in five minutes']],
  },
  {
    id: 'X27',
    fault: 'a part of the page is gone',
    by: [['tests/portal/late.test.ts', 'did not arrive are asked for again']],
  },
  { id: 'X28', fault: 'one order in two windows', by: [system('audit/task/audit-task', 'moves to the second window')] },
  { id: 'X29', fault: 'two reviewers of one order', by: [system('audit/task/audit-submit', 'only one succeeds')] },
  { id: 'X30', fault: 'two checkers of one request', by: [['server/approval/approval.test.ts', 'decides once']] },
  { id: 'X31', fault: 'somebody is frozen while they submit', by: [own('contention', 'X31:')] },
  {
    id: 'X32',
    fault: 'a right goes between page and click',
    by: [['tests/portal/session/rights.test.ts', 'a right that a role loses']],
  },
  { id: 'X33', fault: 'a slow reader of a large export', by: [own('slow-reader', 'X33:')] },
  {
    id: 'X34',
    fault: 'the clock jumps',
    by: [own('day-end', 'X34:'), ['server/jobs/slots.test.ts', 'never lie in the future']],
  },
  { id: 'X35', fault: 'another time zone than EAT', by: [['core/rules/time.test.ts', 'does not depend on the zone']] },
  {
    id: 'X36',
    fault: 'money that came just before midnight',
    by: [
      own('day-end', 'X36:'),
      system('after-loan/repayment/value-date', 'stops the penalties of the days after it came'),
    ],
  },
  {
    id: 'X37',
    fault: 'the ends of months and leap days',
    by: [['core/rules/time.test.ts', 'counts over months, years and leap days']],
  },
  { id: 'X38', fault: 'very many rows are over at one midnight', by: [own('contention', 'X38:')] },
  {
    id: 'X39',
    fault: 'the server of a stream restarts',
    by: [['server/live/live.test.ts', 'replays what was missed']],
  },
  { id: 'X40', fault: 'the provider of SMS and e-mail is down', by: [], open: 'nothing is sent by SMS or e-mail yet' },
  { id: 'X41', fault: 'an upload is interrupted', by: [['server/files/uploads/receive.test.ts', 'at piece 7 of 12']] },
  {
    id: 'X42',
    fault: 'rights that were read before they changed',
    by: [
      ['server/live/live.test.ts', 'says that rights changed'],
      ['tests/portal/session/rights.test.ts', 'a right that a role loses'],
    ],
  },
  {
    id: 'X43',
    fault: 'a migration while older servers run',
    by: [
      ['server/db/database.test.ts', 'goes on with a prepared statement whose table has changed'],
      ['server/db/migrations.test.ts', 'are applied once when several processes start together'],
    ],
  },
  {
    id: 'X44',
    fault: 'a copy is opened on another machine',
    by: [own('kill', 'X44:')],
    open: 'sessions of the copy are as good as those of its original until they are over',
  },
  {
    id: 'X45',
    fault: 'everybody at one order',
    by: [own('contention', 'X45:'), system('after-loan/payout/payout-race', 'fifty dispatches and sends')],
  },
]
