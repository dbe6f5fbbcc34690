using System.Text;
using System.Xml;

namespace Wire.Surrogates;

/// <summary>A document: its text, and whether white space between elements is a part of it.</summary>
internal record struct XmlDocumentParts(string Text, bool PreserveWhitespace);

/// <summary>XML documents as their text, without a document type: so there are no entities and nothing from elsewhere.</summary>
internal static class XmlDocumentConversion
{
    // Methods of documents recurse for each level.
    private const int MaxDepth = 1000;

    public static XmlDocumentParts To(XmlDocument document)
    {
        Exact.Require(document);
        if (document.DocumentType is not null)
        {
            throw new UnsupportedTypeException(typeof(XmlDocument), "it has a document type, which is not read. Remove it.");
        }

        try
        {
            string text = TextOf(document);
            return TextOf(Load(text)) == text
                ? new(text, document.PreserveWhitespace)
                : throw new UnsupportedTypeException(typeof(XmlDocument), "its text reads as another document. Load it from text first.");
        }
        catch (Exception e) when (e is XmlException or ArgumentException or InvalidOperationException)
        {
            throw new UnsupportedTypeException(typeof(XmlDocument), $"it has no XML text. {e.Message}");
        }
    }

    public static XmlDocument From(XmlDocumentParts parts) => Made.Create(() =>
    {
        XmlDocument document = Load(parts.Text);
        document.PreserveWhitespace = parts.PreserveWhitespace;
        return document;
    });

    private static string TextOf(XmlDocument document)
    {
        var text = new StringBuilder();
        using (var writer = XmlWriter.Create(text, new()
        {
            ConformanceLevel = ConformanceLevel.Fragment,
            NewLineHandling = NewLineHandling.Entitize,
            OmitXmlDeclaration = true,
        }))
        {
            foreach (XmlNode node in document.ChildNodes)
            {
                if (node is XmlDeclaration declaration)
                {
                    writer.WriteRaw(declaration.OuterXml);
                }
                else
                {
                    node.WriteTo(writer);
                }
            }
        }

        return text.ToString();
    }

    private static XmlDocument Load(string text)
    {
        var document = new XmlDocument { PreserveWhitespace = true, XmlResolver = null };
        if (text.Length == 0)
        {
            return document;
        }

        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };
        using (var reader = XmlReader.Create(new StringReader(text), settings))
        {
            while (reader.Read())
            {
                if (reader.Depth > MaxDepth)
                {
                    throw new XmlException($"Its elements nest deeper than {MaxDepth} levels.");
                }
            }
        }

        using var again = XmlReader.Create(new StringReader(text), settings);
        document.Load(again);
        return document;
    }
}
