/** Forms 25 and 15 as EDGAR gives them. */

interface Stated {
  cik?: number;
  title: string;
  /** Paragraph of the rule: `(a)(3)`. */
  rule?: string;
  /** Day of the filing without hyphens. */
  date?: string;
  accession?: string;
}

/** Returns the form of an exchange, which has XML. */
export function removalXml({
  cik = 1524769,
  title,
  rule = '(a)(3)',
  date = '20200318',
  accession = '0001354457-20-000128',
}: Stated): string {
  return `<SEC-DOCUMENT>${accession}.txt : ${date}
<SEC-HEADER>${accession}.hdr.sgml : ${date}
<ACCEPTANCE-DATETIME>${date}161500
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t25-NSE
PUBLIC DOCUMENT COUNT:\t\t1
FILED AS OF DATE:\t\t${date}

SUBJECT COMPANY:\t
\tCOMPANY DATA:\t
\t\tCENTRAL INDEX KEY:\t\t\t${String(cik).padStart(10, '0')}

FILED BY:\t\t
\tCOMPANY DATA:\t
\t\tCENTRAL INDEX KEY:\t\t\t0001354457
</SEC-HEADER>
<DOCUMENT>
<TYPE>25-NSE
<TEXT>
<XML>
<?xml version="1.0"?>
<notificationOfRemoval>
  <schemaVersion>X0203</schemaVersion>
  <exchange><cik>0001354457</cik><entityName>The Nasdaq Stock Market LLC</entityName></exchange>
  <issuer><cik>${String(cik).padStart(10, '0')}</cik><entityName>An Issuer</entityName></issuer>
  <descriptionClassSecurity>${title}</descriptionClassSecurity>
  <ruleProvision>17 CFR 240.12d2-2${rule}</ruleProvision>
  <signatureData><signatureDate>2020-03-18</signatureDate></signatureData>
</notificationOfRemoval>
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;
}

/** Returns a form of a company, which is HTML. */
export function removalText({
  form,
  cik = 1524769,
  title,
  date = '20200318',
  accession = '0001524769-20-000003',
}: Stated & { form: string }): string {
  const caption = form.startsWith('25')
    ? '(Description of class of securities)'
    : '(Title of each class of securities covered by this Form)';
  return `<SEC-DOCUMENT>${accession}.txt : ${date}
<SEC-HEADER>${accession}.hdr.sgml : ${date}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${form}
FILED AS OF DATE:\t\t${date}

FILER:

\tCOMPANY DATA:\t
\t\tCENTRAL INDEX KEY:\t\t\t${String(cik).padStart(10, '0')}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<TEXT>
<html><body><p>1 Main Street, (212) 555-0100</p>
<p>(Address, including zip code, and telephone number, of registrant&#8217;s principal executive
offices)</p>
<p><b>${title}</b></p>
<p>${caption}</p><p>None</p>
</body></html>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;
}
