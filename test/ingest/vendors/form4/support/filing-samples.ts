/** Filings of insiders for tests, in each format. */

export interface SampleTransaction {
  isDerivative?: boolean;
  code?: string;
  date?: string;
  /** Null if a footnote stands for it. */
  shares?: string | null;
  price?: string | null;
  after?: string;
}

export interface SampleOwner {
  cik?: string;
  name: string;
  isDirector?: boolean;
  isOfficer?: boolean;
  isTenPercentOwner?: boolean;
  title?: string;
}

export interface SampleFiling {
  form?: string;
  symbol?: string;
  owners?: SampleOwner[];
  transactions?: SampleTransaction[];
  original?: string;
  signed?: string;
  /** Text of the footnote that stands for a missing number. */
  note?: string;
}

const COOK: SampleOwner = { name: 'COOK TIMOTHY D', isOfficer: true, title: 'CEO &amp; Chair' };

const valueXml = (tag: string, value: string | null = null) =>
  value === null
    ? `<${tag}><footnoteId id="F1"/></${tag}>`
    : `<${tag}><value>${value}</value></${tag}>`;

function transactionXml(transaction: SampleTransaction): string {
  const { isDerivative, code = 'S', date = '2025-03-01' } = transaction;
  const { shares = '100', price = '10.5', after = '1000' } = transaction;
  const tag = isDerivative ? 'derivativeTransaction' : 'nonDerivativeTransaction';
  return `<${tag}>${valueXml('securityTitle', 'Common Stock')}
    ${valueXml('transactionDate', date)}
    <transactionCoding><transactionFormType>4</transactionFormType>
      <transactionCode>${code}</transactionCode></transactionCoding>
    <transactionAmounts>${valueXml('transactionShares', shares)}
      ${valueXml('transactionPricePerShare', price)}
      ${valueXml('transactionAcquiredDisposedCode', 'D')}</transactionAmounts>
    <postTransactionAmounts>${valueXml('sharesOwnedFollowingTransaction', after)}
    </postTransactionAmounts></${tag}>`;
}

export function ownershipXml(filing: SampleFiling = {}): string {
  const { form = '4', symbol = 'AAPL', owners = [COOK], transactions = [{}] } = filing;
  const { original, signed = '2025-03-03', note = 'See the agreement.' } = filing;
  const rows = (isDerivative: boolean) =>
    transactions.filter((row) => (row.isDerivative ?? false) === isDerivative).map(transactionXml);
  return `<?xml version="1.0"?>
<ownershipDocument>
  <schemaVersion>X0508</schemaVersion>
  <documentType>${form}</documentType>
  <periodOfReport>2025-03-01</periodOfReport>
  ${original ? `<dateOfOriginalSubmission>${original}</dateOfOriginalSubmission>` : ''}
  <issuer><issuerCik>0000320193</issuerCik><issuerName>Apple Inc.</issuerName>
    <issuerTradingSymbol>${symbol}</issuerTradingSymbol></issuer>
  ${owners.map(ownerXml).join('\n')}
  <nonDerivativeTable>${rows(false).join('')}</nonDerivativeTable>
  <derivativeTable>${rows(true).join('')}</derivativeTable>
  <footnotes><footnote id="F1">${note}</footnote></footnotes>
  <ownerSignature><signatureName>/s/ x</signatureName><signatureDate>${signed}</signatureDate>
  </ownerSignature>
</ownershipDocument>`;
}

function ownerXml({ cik = '0001214156', name, title = '', ...is }: SampleOwner): string {
  return `<reportingOwner>
    <reportingOwnerId><rptOwnerCik>${cik}</rptOwnerCik><rptOwnerName>${name}</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship>
      <isDirector>${Number(is.isDirector ?? false)}</isDirector>
      <isOfficer>${Number(is.isOfficer ?? false)}</isOfficer>
      <isTenPercentOwner>${is.isTenPercentOwner ?? false}</isTenPercentOwner>
      <officerTitle>${title}</officerTitle>
    </reportingOwnerRelationship></reportingOwner>`;
}

/** A submission as EDGAR serves it. The header has New York time. */
export function submission(
  xml: string,
  { accession = '0000320193-25-000001', form = '4', accepted = '20250303163000' } = {},
): string {
  const day = accepted.slice(0, 8);
  return `<SEC-DOCUMENT>${accession}.txt : ${day}
<SEC-HEADER>${accession}.hdr.sgml : ${day}
<ACCEPTANCE-DATETIME>${accepted}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${form}
FILED AS OF DATE:\t\t${day}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<TEXT>
<XML>
${xml}
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;
}

const INDEX_HEAD = `Description:           Daily Index of EDGAR Dissemination Feed by Form Type
Last Data Received:    Mar 03, 2025
Comments:              webmaster@sec.gov
Anonymous FTP:         ftp://ftp.sec.gov/edgar/
 
 
 
 
Form Type   Company Name                                                  CIK         Date Filed  File Name
---------------------------------------------------------------------------------------------------------------------------------------------
`;

/** @param filings Each is listed under the issuer and under an owner. */
export function formIndex(filings: { form?: string; accession: string; cik?: number }[]): string {
  const lines = filings.flatMap(({ form = '4', accession, cik = 320193 }) =>
    [cik, 1214156].map((under) => {
      const path = `edgar/data/${under}/${accession}.txt`;
      const name = under === cik ? 'Apple Inc.' : 'COOK TIMOTHY D';
      return `${form.padEnd(12)}${name.padEnd(62)}${String(under).padEnd(12)}20250303    ${path}`;
    }),
  );
  return `${INDEX_HEAD}${lines.map((line) => `${line.padEnd(140)}\n`).join('')}`;
}

/** The feed of current filings, in the encoding that it declares. */
export function currentFeed(entries: { form?: string; accession: string; at: string }[]): Buffer {
  const texts = entries.map(
    ({ form = '4', accession, at }) => `<entry>
<title>${form} - Société Générale (0000320193) (Issuer)</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/320193/${accession.replaceAll('-', '')}/${accession}-index.htm"/>
<updated>${at}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>`,
  );
  const feed = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>
${texts.join('\n')}
</feed>`;
  return Buffer.from(feed, 'latin1');
}
