using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// XML is written as its text, which is read without changing a character: white space and line ends are content. There is no DTD, hence no
/// entities and no external references.
/// </summary>
internal static class XmlText
{
    /// <summary>The depth to which elements may nest: methods of <see cref="XElement"/> recurse for each level.</summary>
    private const int MaxDepth = 1000;

    /// <summary>The memory that .NET takes for a namespace.</summary>
    public const int PerNamespace = 400;

    // An element or attribute, and its name.
    private const int PerName = 64;

    /// <summary>
    /// The approximate memory of nodes beyond the counted bytes: short names and namespaces are large in memory.
    /// </summary>
    public static long Overhead(string? text) =>
        (PerName * ((long)text.AsSpan().Count('<') + text.AsSpan().Count('='))) + ((long)PerNamespace * text.AsSpan().Count("xmlns"));

    public static string Write(IEnumerable<XNode> nodes)
    {
        var text = new StringBuilder();
        var settings = new XmlWriterSettings
        {
            ConformanceLevel = ConformanceLevel.Fragment,
            NewLineHandling = NewLineHandling.None,
            OmitXmlDeclaration = true,
        };
        try
        {
            using (var writer = XmlWriter.Create(text, settings))
            {
                foreach (XNode node in nodes)
                {
                    Check(node);
                    (node is XElement element ? XmlNamespaces.Declare(element) : node).WriteTo(writer);
                }
            }
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or XmlException)
        {
            throw new UnsupportedTypeException(typeof(XNode), $"it has no XML text. {e.Message}");
        }

        return text.ToString();
    }

    public static List<XNode> Read(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        try
        {
            using var reader = new ShallowReader(text);
            var nodes = new List<XNode>();
            reader.Read();
            while (!reader.EOF)
            {
                nodes.Add(XNode.ReadFrom(reader));
            }

            XmlNamespaces.Undeclare(nodes, text);
            return nodes;
        }
        catch (XmlException e)
        {
            throw new FormatException(e.Message, e);
        }
    }

    public static XElement Element(string text) =>
        Read(text) is [XElement element] ? element : throw new FormatException("The text is not one element.");

    // The reader would refuse it.
    private static void Check(XNode node)
    {
        if (node is XDocumentType)
        {
            throw new UnsupportedTypeException(
                typeof(XDocumentType), "a document type is not written, because readers of XML must not follow one.");
        }

        int depth = 0;
        for (XNode? current = node; current is not null;)
        {
            if (current is XContainer { FirstNode: { } child })
            {
                if (++depth >= MaxDepth)
                {
                    throw new UnsupportedTypeException(typeof(XElement), $"its elements nest deeper than {MaxDepth} levels.");
                }

                current = child;
                continue;
            }

            while (current != node && current!.NextNode is null)
            {
                current = current.Parent;
                depth--;
            }

            current = current == node ? null : current.NextNode;
        }
    }

    // Only this reader has an option to keep line ends.
    private sealed class ShallowReader : XmlTextReader
    {
        public ShallowReader(string text)
            : base(text, XmlNodeType.Element, null)
        {
            DtdProcessing = DtdProcessing.Prohibit;
            XmlResolver = null;
            Normalization = false;
            WhitespaceHandling = WhitespaceHandling.All;
            EntityHandling = EntityHandling.ExpandEntities;
        }

        public override bool Read()
        {
            bool more = base.Read();
            return Depth < MaxDepth ? more : throw new FormatException($"Elements nest deeper than {MaxDepth} levels.");
        }
    }
}

/// <summary>An XDocument: its declaration, which is not one of its nodes, and the text of the nodes.</summary>
internal static class XDocumentConversion
{
    public static long Overhead(Parts written) => XmlText.Overhead(written.Nodes);

    public static Parts To(XDocument value) => new(
        value.Declaration is { } d ? new Declaration(d.Version, d.Encoding, d.Standalone) : null,
        XmlText.Write(value.Nodes()));

    public static XDocument From(Parts written) => new(
        written.Declaration is { } d ? new XDeclaration(d.Version, d.Encoding, d.Standalone) : null,
        XmlText.Read(written.Nodes));

    internal readonly record struct Declaration(string? Version, string? Encoding, string? Standalone);

    internal readonly record struct Parts(Declaration? Declaration, string Nodes);
}
