using System.Xml.Linq;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// The text of XML has to declare every namespace, and a tree need not: its names know their own. What the text alone declares has prefixes
/// that begin with <see cref="Reserved"/>, and is taken out again when the text has been read.
/// </summary>
internal static class XmlNamespaces
{
    private const string Reserved = "_wire";

    // Beside an xmlns="" that the tree does not have: its element is in no namespace, and one around it declares a default one.
    private const string NoDefault = Reserved + "0";

    private static readonly XName Default = "xmlns";

    /// <summary>An element whose tree declares all its namespaces: the same where that is so, and a copy otherwise.</summary>
    public static XElement Declare(XElement element)
    {
        var missing = new List<string>();
        var bare = new List<int>();
        Find(element, missing, bare);
        if (missing.Count == 0 && bare.Count == 0)
        {
            return element;
        }

        var copy = new XElement(element);
        if (bare.Count > 0)
        {
            XElement[] elements = [.. copy.DescendantsAndSelf()];
            foreach (int index in bare)
            {
                PutFirst(elements[index], new XAttribute(XNamespace.Xmlns + NoDefault, NoDefault), new XAttribute(Default, ""));
            }
        }

        PutFirst(copy, [.. missing.Select((name, i) => new XAttribute(XNamespace.Xmlns + $"{Reserved}{i + 1}", name))]);
        return copy;
    }

    /// <summary>Takes out what <see cref="Declare"/> has put in.</summary>
    public static void Undeclare(List<XNode> nodes, string text)
    {
        if (!text.Contains($"xmlns:{Reserved}", StringComparison.Ordinal))
        {
            return;
        }

        foreach (XElement element in nodes.OfType<XElement>().DescendantsAndSelf())
        {
            while (element.FirstAttribute is { } first && IsReserved(first))
            {
                first.Remove();
                if (first.Name.LocalName == NoDefault && element.FirstAttribute is { } next && next.Name == Default)
                {
                    next.Remove();
                }
            }
        }
    }

    // In front, where taking one out takes no time.
    private static void PutFirst(XElement element, params XAttribute[] attributes) =>
        element.ReplaceAttributes((object[])[.. attributes, .. element.Attributes()]);

    private static bool IsReserved(XAttribute attribute) =>
        attribute.Name.Namespace == XNamespace.Xmlns && attribute.Name.LocalName.StartsWith(Reserved, StringComparison.Ordinal);

    // The namespaces that are not declared where they are needed, and the numbers of elements that need to be outside of the default one.
    private static void Find(XElement root, List<string> missing, List<int> bare)
    {
        var scope = new Scope();
        var around = new Stack<(XElement Element, int Outside)>();
        int index = 0;
        foreach (XElement element in root.DescendantsAndSelf())
        {
            while (around.TryPeek(out var last) && last.Element != element.Parent)
            {
                scope.ReturnTo(around.Pop().Outside);
            }

            around.Push((element, scope.Count));
            foreach (XAttribute attribute in element.Attributes().Where(attribute => attribute.IsNamespaceDeclaration))
            {
                if (IsReserved(attribute))
                {
                    throw new UnsupportedTypeException(
                        typeof(XElement),
                        $"it declares the prefix '{attribute.Name.LocalName}', and those that begin with {Reserved} are Wire's own.");
                }

                scope.Declare(attribute.Name, XNamespace.Get(attribute.Value));
            }

            if (element.Name.Namespace != XNamespace.None)
            {
                Need(element.Name.Namespace, withDefault: true);
            }
            else if (scope.Default != XNamespace.None)
            {
                bare.Add(index);
                scope.Declare(Default, XNamespace.None);
            }

            foreach (XAttribute attribute in element.Attributes().Where(attribute => !attribute.IsNamespaceDeclaration))
            {
                Need(attribute.Name.Namespace, withDefault: false);
            }

            index++;
        }

        void Need(XNamespace name, bool withDefault)
        {
            if (name != XNamespace.None && name != XNamespace.Xml && !scope.Declares(name, withDefault))
            {
                missing.Add(name.NamespaceName);
                scope.DeclareEverywhere(name);
            }
        }
    }

    /// <summary>
    /// The declarations of an element and of those around it together, kept so that no name needs a search through them: that took a time
    /// which grew with the square of the text, and with its cube where declarations hide each other.
    /// </summary>
    private sealed class Scope
    {
        private readonly Dictionary<XName, XNamespace> _namespaces = [];

        // How many prefixes, the empty one among them, stand for a namespace.
        private readonly Dictionary<XNamespace, int> _prefixes = [];

        private readonly Stack<(XName Prefix, XNamespace? Hidden)> _declarations = [];

        public int Count => _declarations.Count;

        public XNamespace Default { get; private set; } = XNamespace.None;

        public bool Declares(XNamespace name, bool withDefault) =>
            _prefixes.GetValueOrDefault(name) > (withDefault || name != Default ? 0 : 1);

        public void Declare(XName prefix, XNamespace name)
        {
            _declarations.Push((prefix, _namespaces.GetValueOrDefault(prefix)));
            Set(prefix, name);
        }

        /// <summary>By a prefix that nothing hides.</summary>
        public void DeclareEverywhere(XNamespace name) => Add(name, 1);

        /// <summary>Takes back the declarations beyond so many.</summary>
        public void ReturnTo(int count)
        {
            while (_declarations.Count > count)
            {
                var (prefix, hidden) = _declarations.Pop();
                Set(prefix, hidden);
            }
        }

        private void Set(XName prefix, XNamespace? name)
        {
            if (_namespaces.GetValueOrDefault(prefix) is { } before)
            {
                Add(before, -1);
            }

            if (name is null)
            {
                _namespaces.Remove(prefix);
            }
            else
            {
                _namespaces[prefix] = name;
                Add(name, 1);
            }

            if (prefix == XmlNamespaces.Default)
            {
                Default = name ?? XNamespace.None;
            }
        }

        private void Add(XNamespace name, int count) => _prefixes[name] = _prefixes.GetValueOrDefault(name) + count;
    }
}
