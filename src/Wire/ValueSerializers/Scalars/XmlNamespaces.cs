using System.Xml.Linq;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// The text of XML must declare every namespace, and a tree need not: its names hold them. Declarations added for the text have prefixes
/// that begin with <see cref="Reserved"/>, and are removed after reading.
/// </summary>
internal static class XmlNamespaces
{
    private const string Reserved = "_wire";

    // Added next to an xmlns="" that the tree does not have: the element is in no namespace, inside one that declares a default.
    private const string NoDefault = Reserved + "0";

    private static readonly XName Default = "xmlns";

    /// <summary>Returns the element if its tree declares all its namespaces, otherwise a copy with the declarations.</summary>
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

    /// <summary>Removes the declarations that <see cref="Declare"/> added.</summary>
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

    // At the front, where removal is fast.
    private static void PutFirst(XElement element, params XAttribute[] attributes) =>
        element.ReplaceAttributes((object[])[.. attributes, .. element.Attributes()]);

    private static bool IsReserved(XAttribute attribute) =>
        attribute.Name.Namespace == XNamespace.Xmlns && attribute.Name.LocalName.StartsWith(Reserved, StringComparison.Ordinal);

    // The namespaces that are not declared where they are needed, and the indexes of elements that must leave the default one.
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
    /// The declarations of an element and its ancestors, indexed so that no name needs a search: searching took time quadratic in the text,
    /// and cubic where declarations hide each other.
    /// </summary>
    private sealed class Scope
    {
        private readonly Dictionary<XName, XNamespace> _namespaces = [];

        // The number of prefixes of a namespace, the empty one included.
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

        /// <summary>Looks up by a prefix that is not hidden.</summary>
        public void DeclareEverywhere(XNamespace name) => Add(name, 1);

        /// <summary>Removes the declarations beyond a count.</summary>
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
