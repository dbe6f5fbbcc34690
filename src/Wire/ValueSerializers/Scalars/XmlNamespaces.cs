using System.Xml.Linq;

namespace Wire;

/// <summary>
/// The text of XML has to declare every namespace, and a tree need not: its names know their own. What the text alone declares has
/// prefixes that begin with <see cref="Reserved"/>, and is taken out again when the text has been read.
/// </summary>
internal static class XmlNamespaces
{
    private const string Reserved = "_wire";

    // Beside an xmlns="" that the tree does not have: its element is in no namespace, and one around it declares a default one.
    private const string NoDefault = Reserved + "0";

    private static readonly XName Default = "xmlns";

    private static readonly XAttribute Nothing = new(Default, "");

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
        var known = new HashSet<string>(StringComparer.Ordinal);
        var scope = new List<XAttribute>();
        var outer = new Stack<(XElement Element, int Scope)>();
        int index = 0;
        foreach (XElement element in root.DescendantsAndSelf())
        {
            while (outer.TryPeek(out var last) && last.Element != element.Parent)
            {
                outer.Pop();
            }

            int begin = outer.TryPeek(out var around) ? around.Scope : 0;
            scope.RemoveRange(begin, scope.Count - begin);
            foreach (XAttribute attribute in element.Attributes().Where(attribute => attribute.IsNamespaceDeclaration))
            {
                if (IsReserved(attribute))
                {
                    throw new UnsupportedTypeException(
                        typeof(XElement),
                        $"it declares the prefix '{attribute.Name.LocalName}', and those that begin with {Reserved} are Wire's own.");
                }

                scope.Add(attribute);
            }

            outer.Push((element, scope.Count));
            if (element.Name.Namespace == XNamespace.None)
            {
                if (scope.FindLast(IsDefault) is { Value.Length: > 0 })
                {
                    bare.Add(index);
                    scope.Add(Nothing);
                    outer.Pop();
                    outer.Push((element, scope.Count));
                }
            }
            else if (!IsDeclared(element.Name.NamespaceName, scope, withDefault: true) && known.Add(element.Name.NamespaceName))
            {
                missing.Add(element.Name.NamespaceName);
            }

            foreach (XAttribute attribute in element.Attributes().Where(attribute => !attribute.IsNamespaceDeclaration))
            {
                if (!IsDeclared(attribute.Name.NamespaceName, scope, withDefault: false) && known.Add(attribute.Name.NamespaceName))
                {
                    missing.Add(attribute.Name.NamespaceName);
                }
            }

            index++;
        }
    }

    private static bool IsDefault(XAttribute declaration) => declaration.Name == Default;

    // By a declaration that none behind it hides. The namespace of xml is always there.
    private static bool IsDeclared(string name, List<XAttribute> scope, bool withDefault)
    {
        if (name.Length == 0 || name == XNamespace.Xml.NamespaceName)
        {
            return true;
        }

        for (int i = scope.Count - 1; i >= 0; i--)
        {
            XAttribute declaration = scope[i];
            if (declaration.Value == name && (withDefault || !IsDefault(declaration))
                && scope.FindLastIndex(other => other.Name == declaration.Name) == i)
            {
                return true;
            }
        }

        return false;
    }
}
