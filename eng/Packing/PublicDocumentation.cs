using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using System.Xml.XPath;

namespace Packing;

/// <summary>
/// The XML documentation of a package: that of members which other assemblies see. The compilers also write that of internal members, and
/// notes of the files of partial types.
/// </summary>
internal sealed class PublicDocumentation
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private readonly Dictionary<string, MemberInfo> _visible = [];
    private readonly Dictionary<string, MemberInfo> _hidden = [];
    private readonly Dictionary<string, XElement> _documentation = [];

    /// <summary>Reads what is visible of an assembly and of those below it that come with documentation of their own.</summary>
    /// <param name="assembly">The path of the assembly.</param>
    /// <param name="references">Paths of the assemblies that it refers to, apart from those of the platform.</param>
    public PublicDocumentation(string assembly, string[] references)
    {
        var context = new AssemblyLoadContext("packed");
        context.Resolving += (loading, name) => references.FirstOrDefault(path => Path.GetFileNameWithoutExtension(path) == name.Name)
            is { } path ? loading.LoadFromAssemblyPath(Path.GetFullPath(path)) : null;
        foreach (string path in references.Append(assembly))
        {
            Assembly loaded = context.LoadFromAssemblyPath(Path.GetFullPath(path));
            AddMembers(loaded);
            if (Path.ChangeExtension(path, ".xml") is var file && File.Exists(file))
            {
                AddDocumentation(file);
            }
        }
    }

    /// <summary>Writes the documentation of the visible members.</summary>
    /// <param name="documentation">The file that the compiler has written.</param>
    /// <param name="output">The file to write.</param>
    public void Write(string documentation, string output)
    {
        XDocument document = XDocument.Load(documentation, LoadOptions.PreserveWhitespace);
        AddDocumentation(documentation);
        foreach (XElement member in document.Descendants("member").ToList())
        {
            string id = member.Attribute("name")!.Value;
            if (!_visible.TryGetValue(id, out MemberInfo? visible))
            {
                if (!_hidden.ContainsKey(id))
                {
                    throw new InvalidDataException($"{id} is documented, but the assembly has nothing of that name.");
                }

                Remove(member);
                continue;
            }

            Resolve(member, visible, depth: 0);
            foreach (XElement note in member.Elements("content").ToList())
            {
                Remove(note);
            }

            RefuseHidden(member);
        }

        // As the compilers write it, without a byte order mark and with the line ends of one system: the same bytes everywhere.
        var settings = new XmlWriterSettings
        {
            NewLineChars = "\n",
            NewLineHandling = NewLineHandling.Replace,
            Encoding = new UTF8Encoding(false),
        };
        using XmlWriter writer = XmlWriter.Create(output, settings);
        document.Save(writer);
    }

    // An editor finds what is inherited in the documentation of packages: what is not in these is put in its place.
    private void Resolve(XElement member, MemberInfo visible, int depth)
    {
        foreach (XElement inherited in member.Descendants("inheritdoc").ToList())
        {
            string? source = inherited.Attribute("cref")?.Value ?? Inherited(visible).FirstOrDefault();
            if (source is null || depth > 10)
            {
                throw new InvalidDataException($"{member.Attribute("name")!.Value} inherits its documentation from nothing.");
            }

            if (!_hidden.TryGetValue(source, out MemberInfo? hidden))
            {
                continue;
            }

            if (!_documentation.TryGetValue(source, out XElement? target))
            {
                throw new InvalidDataException(
                    $"{member.Attribute("name")!.Value} inherits its documentation from {source}, which has none.");
            }

            var copy = new XElement(target);
            Resolve(copy, hidden, depth + 1);
            string path = inherited.Attribute("path")?.Value.TrimStart('/') ?? "node()";
            inherited.ReplaceWith(((IEnumerable<object>)copy.XPathEvaluate(path)).ToArray());
        }
    }

    // What a type or member without a reference inherits from, nearest first.
    private static IEnumerable<string> Inherited(MemberInfo member)
    {
        if (member is Type type)
        {
            return [.. type.BaseType is { } parent && parent != typeof(object) ? [MemberIds.From(parent)] : Array.Empty<string>(),
                .. type.GetInterfaces().Select(MemberIds.From)];
        }

        MethodInfo? method = Accessor(member);
        return method is null ? [] : Sources(method).Select(source => MemberIds.From(Owner(source, member)));
    }

    private static IEnumerable<MethodInfo> Sources(MethodInfo method)
    {
        if (method.GetBaseDefinition() is var origin && origin != method)
        {
            yield return origin;
        }

        Type type = method.DeclaringType!;
        foreach (Type face in type.IsInterface ? [] : type.GetInterfaces())
        {
            InterfaceMapping map = type.GetInterfaceMap(face);
            int index = Array.FindIndex(map.TargetMethods, target => target.HasSameMetadataDefinitionAs(method));
            if (index >= 0)
            {
                yield return map.InterfaceMethods[index];
            }
        }
    }

    private static MethodInfo? Accessor(MemberInfo member) => member switch
    {
        MethodInfo method => method,
        PropertyInfo property => property.GetMethod ?? property.SetMethod,
        EventInfo e => e.AddMethod,
        _ => null,
    };

    // The property or event that an accessor belongs to.
    private static MemberInfo Owner(MethodInfo method, MemberInfo like) => like is MethodInfo ? method
        : method.DeclaringType!.GetMembers(Declared).First(
            member => member.MemberType == like.MemberType && Accessor(member)?.HasSameMetadataDefinitionAs(method) == true);

    private void RefuseHidden(XElement member)
    {
        if (member.Descendants().Attributes("cref").FirstOrDefault(cref => _hidden.ContainsKey(cref.Value)) is { } hidden)
        {
            throw new InvalidDataException(
                $"The documentation of {member.Attribute("name")!.Value} refers to {hidden.Value}, which nobody sees: " +
                "name it with <c>, or leave it out.");
        }
    }

    private void AddMembers(Assembly assembly)
    {
        foreach (Type type in assembly.GetTypes())
        {
            bool seen = type.IsVisible || IsSeenByDerived(type);
            Add(MemberIds.From(type), type, seen);
            foreach (MemberInfo member in type.GetMembers(Declared).Where(member => member is not Type))
            {
                Add(MemberIds.From(member), member, seen && IsSeen(member));
            }
        }
    }

    private void Add(string id, MemberInfo member, bool seen)
    {
        if (!seen)
        {
            _hidden.TryAdd(id, member);
        }
        else
        {
            _visible.TryAdd(id, member);
        }
    }

    // Protected types in visible ones.
    private static bool IsSeenByDerived(Type type) => type is { IsNested: true, DeclaringType: { } outer }
        && (type.IsNestedPublic || type.IsNestedFamily || type.IsNestedFamORAssem) && (outer.IsVisible || IsSeenByDerived(outer));

    private static bool IsSeen(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsSeen),
        EventInfo e => IsSeen(e.AddMethod!),
        _ => false,
    };

    private void AddDocumentation(string file)
    {
        foreach (XElement member in XDocument.Load(file, LoadOptions.PreserveWhitespace).Descendants("member"))
        {
            _documentation[member.Attribute("name")!.Value] = member;
        }
    }

    // With the blanks before it.
    private static void Remove(XElement element)
    {
        if (element.PreviousNode is XText { Value: var text } blank && string.IsNullOrWhiteSpace(text))
        {
            blank.Remove();
        }

        element.Remove();
    }
}
