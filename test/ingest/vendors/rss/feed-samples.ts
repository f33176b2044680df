/** Invented feeds, in the form that sites write. */

export const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel>
    <title>Example Wire</title>
    <link>https://wire.example/</link>
    <description>News</description>
    <atom:link href="https://wire.example/rss.xml" rel="self" type="application/rss+xml"/>
    <item>
      <title><![CDATA[Acme &amp; Sons <b>raises</b> its outlook &#8211; again]]></title>
      <link>https://wire.example/acme-outlook?utm_source=rss</link>
      <guid isPermaLink="false">acme-1</guid>
      <description>&lt;p&gt;The maker of anvils (NASDAQ: ACME) now expects &lt;b&gt;more&lt;/b&gt;.&lt;/p&gt;&lt;script&gt;alert("x")&lt;/script&gt;</description>
      <category domain="https://wire.example/tickers">ACME</category>
      <category>Earnings</category>
      <pubDate>Thu, 19 Nov 2026 09:30:00 EST</pubDate>
    </item>
    <item>
      <title>Rates stay where they are, the central bank says</title>
      <link>/rates</link>
      <content:encoded><![CDATA[<p>Nothing&nbsp;changes.</p>]]></content:encoded>
      <dc:date>2026-11-19T15:00:00Z</dc:date>
      <source url="https://other.example/rss">Other Wire</source>
    </item>
  </channel>
</rss>`;

export const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">Example &amp;amp; Co</title>
  <id>urn:example</id>
  <updated>2026-11-19T15:00:00Z</updated>
  <link rel="self" href="https://atom.example/feed"/>
  <entry>
    <id>urn:example:1</id>
    <title type="html">Acme &amp;amp; Sons split their &lt;i&gt;shares&lt;/i&gt;</title>
    <link rel="edit" href="https://atom.example/edit/1"/>
    <link href="https://atom.example/1"/>
    <published>2026-11-19T10:00:00-05:00</published>
    <updated>2026-11-20T10:00:00-05:00</updated>
    <category term="ACME" scheme="https://atom.example/symbols"/>
    <summary>Four for one.</summary>
  </entry>
</feed>`;

export const RDF = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://rdf.example/"><title>RDF Wire</title><link>https://rdf.example/</link><description>d</description></channel>
  <item rdf:about="https://rdf.example/1"><title>Old formats live long</title><link>https://rdf.example/1</link><dc:date>2026-11-19T15:00:00Z</dc:date></item>
</rdf:RDF>`;
