import { common } from '../../core/contract/common/common.ts'
import { businessNode, businessNodes } from '../../core/contract/operation/business-node.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import type { Action } from '../../core/engine/screen.ts'
import { ChannelLine, NodeMessages, type NodeRow, SimulateDialog, TextShare } from './message/node-detail.tsx'

const row = ([one]: readonly NodeRow[]) => ({
  pointCode: one?.pointCode ?? '',
  apps: one?.appCodes.join(', ') ?? '',
  n: one?.sentIn7Days ?? 0,
})

const switchApp: Action<NodeRow> = {
  run: businessNode.appState,
  label: 'actions.switchApp',
  ask: ['appCode', 'on'],
  input: ([one]) => ({ nodeNo: one?.nodeNo, version: one?.version }),
}

/** Operations engineers decide for each thing that happens whether customers of an app hear of it, over which channels and in which order. */
export default configScreen({
  config: businessNodes,
  filters: ['nodeName', 'appCode', 'channelType', 'contactKind'],
  columns: [
    'pointCode',
    'nodeName',
    'eventKey',
    { id: 'channelOrder', width: 190, cell: (one: NodeRow) => <ChannelLine channelOrder={one.channelOrder} /> },
    { id: 'templatesPresent', cell: (one: NodeRow) => <TextShare row={one} /> },
    'sentToday',
    'blockedToday',
    'topBlock',
    'contactKind',
    { id: 'appCodes', width: 170 },
  ],
  more: ['sentIn7Days', 'alwaysOn', 'nodeNo'],
  settings: [
    'pointCode',
    'nodeName',
    'eventKey',
    'contactKind',
    'appCodes',
    'alwaysOn',
    'sentIn7Days',
    'sentToday',
    'blockedToday',
  ],
  confirm: {
    enable: rows => ({ key: 'businessNode.confirmEnable', params: row(rows) }),
    disable: rows => ({ key: 'businessNode.confirmDisable', params: row(rows) }),
    delete: 'businessNode.confirmDelete',
  },
  tabs: [{ name: 'messages', label: 'businessNode.messages', body: one => <NodeMessages row={one as NodeRow} /> }],
  toolbar: [
    {
      run: businessNode.copyToApp,
      label: 'actions.copyNodes',
      ask: ['fromApp', 'toApp', 'withTemplates'],
      input: () => ({}),
      done: answer => ({
        key: 'businessNode.copied',
        params: answer as { nodes: number; templates: number; existing: number },
      }),
    },
  ],
  row: [
    { label: 'actions.simulateNode', needs: { perm: businessNode.page.perm }, dialog: SimulateDialog },
    switchApp,
  ] as readonly Action<NodeRow>[],
  also: [common.apps, businessNode.sent, businessNode.simulate],
})
