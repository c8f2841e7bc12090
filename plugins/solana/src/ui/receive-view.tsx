import { useActiveAccount } from '@keybay/react'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { NeedsAccount } from '../connect/connect-provider.js'
import { CopyButton, Notice, Page } from '../design/index.js'
import { QrCode } from '../design/qr-code.js'
import { ReceiveGate } from '../embedded/receive-gate.js'
import { AirdropButton } from '../tokens/tokens-card.js'

export function ReceivePage() {
  const { account } = useActiveAccount()
  const network = useCurrentNetwork()
  return (
    <Page title="Receive" width="narrow" lead="Receive SOL at your address.">
      {account ? (
        <section className="keybay-card receive" aria-label="Your address">
          <ReceiveGate account={account}>
            <QrCode text={`solana:${account.address}`} label="QR code of your address" />
            <p className="receive-address mono">{account.address}</p>
            <div className="row">
              <CopyButton text={account.address} label="Copy address">
                Copy address
              </CopyButton>
              {network.isTestnet && <AirdropButton address={account.address} />}
            </div>
            <Notice title={`Only for ${network.name}.`}>
              <span>What is sent on another network does not arrive here.</span>
            </Notice>
          </ReceiveGate>
        </section>
      ) : (
        <NeedsAccount to="receive" />
      )}
    </Page>
  )
}
