using System.Diagnostics;
using System.Reflection;
using Wire.Tool.Running;

namespace Wire.Tool.Contracting;

/// <summary>An assembly of the user's, in a load context of its own, with its types.</summary>
internal sealed class LoadedAssembly
{
    private const string All = ".*";
    private const BindingFlags Statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private readonly UserContext _context;
    private readonly Type[] _types;

    /// <summary>Loads an assembly.</summary>
    /// <exception cref="ToolException">It is none, or something that it needs is missing.</exception>
    public LoadedAssembly(string path)
    {
        Name = PlainText.Show(path);
        _context = NewContext(path);
        _types = Run(() => _context.Load().GetTypes());
    }

    /// <summary>Gets the path, plain.</summary>
    public string Name { get; }

    /// <summary>Gets the public types that messages usually are.</summary>
    public IEnumerable<Type> Messages => _types.Where(type => type is { IsVisible: true, IsAbstract: false, IsEnum: false }
        && type is { IsByRefLike: false, ContainsGenericParameters: false }
        && !typeof(Delegate).IsAssignableFrom(type)
        && !typeof(Exception).IsAssignableFrom(type)
        && !typeof(Attribute).IsAssignableFrom(type));

    /// <summary>Does something with types of the assembly. What goes wrong in loading is one line.</summary>
    /// <exception cref="ToolException">Something that the assembly needs is missing, or the types cannot be written.</exception>
    public T Run<T>(Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception) when (Explain(exception) is { } explained)
        {
            throw explained;
        }
    }

    /// <summary>Finds types by a name, with or without namespace, or by one of all in a namespace.</summary>
    /// <exception cref="ToolException">There is none, or there are several.</exception>
    public IEnumerable<Type> Find(string name)
    {
        if (name.EndsWith(All, StringComparison.Ordinal))
        {
            Type[] some = [.. Messages.Where(type => NameOf(type).StartsWith(name[..^1], StringComparison.Ordinal))];
            return some.Length > 0 ? some : throw NoType(name, _types.Select(type => $"{type.Namespace}{All}"));
        }

        return [FindOne(name)];
    }

    /// <summary>Calls the member that returns the options.</summary>
    /// <param name="member">The name of its type, a dot, and its own.</param>
    /// <exception cref="ToolException">There is no such member, or it returns something else.</exception>
    public Serializer SerializerOf(string member)
    {
        int dot = member.LastIndexOf('.');
        if (dot <= 0)
        {
            throw new ToolException(
                $"--options takes a type and its member, as Shop.Setup.Options, and not '{PlainText.Show(member)}'.", ExitCodes.Usage);
        }

        Type type = FindOne(member[..dot]);
        string name = member[(dot + 1)..];
        object? value;
        try
        {
            value = type.GetProperty(name, Statics) is { GetMethod: { } getter } ? getter.Invoke(null, null)
                : type.GetField(name, Statics) is { } field ? field.GetValue(null)
                : type.GetMethod(name, Statics, []) is { } method ? method.Invoke(null, null)
                : throw NoMember(type, name);
        }
        catch (Exception exception) when (exception is TargetInvocationException or TypeInitializationException)
        {
            Exception inner = Innermost(exception);
            throw Explain(inner) ?? new ToolException(
                $"{Name}: {PlainText.Show(member)} ends with {inner.GetType().Name}: {PlainText.Show(inner.Message)}", ExitCodes.Usage);
        }

        return value switch
        {
            Serializer serializer => serializer,
            SerializerOptions options => new Serializer(options),
            _ => throw new ToolException(
                $"{Name}: {PlainText.Show(member)} returns {PlainText.Show(value?.GetType().ToString() ?? "null")}, and neither "
                    + "SerializerOptions nor a Serializer.",
                ExitCodes.Usage),
        };
    }

    private UserContext NewContext(string path)
    {
        try
        {
            return new UserContext(Path.GetFullPath(path));
        }
        catch (InvalidOperationException exception)
        {
            // Its list of them is damaged.
            throw new ToolException($"{Name}: What it needs cannot be found out: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
    }

    private Type FindOne(string name)
    {
        Type[] found = [.. _types.Where(type => NameOf(type) == name || type.FullName == name)];
        if (found.Length == 0)
        {
            found = [.. _types.Where(type => NameOf(type).EndsWith($".{name}", StringComparison.Ordinal))];
        }

        return found.Length switch
        {
            1 when found[0].ContainsGenericParameters => throw new ToolException(
                $"{Name}: '{PlainText.Show(name)}' is generic: a contract has it where a member declares it with its arguments.",
                ExitCodes.Usage),
            1 => found[0],
            0 => throw NoType(name, _types.Select(NameOf)),
            _ => throw new ToolException(
                $"{Name}: '{PlainText.Show(name)}' may be {PlainText.Show(string.Join(" or ", found.Select(NameOf).Order()))}.",
                ExitCodes.Usage),
        };
    }

    // As C# writes it: a dot in front of a nested type.
    private static string NameOf(Type type) => type.FullName!.Replace('+', '.');

    private ToolException NoType(string name, IEnumerable<string> names) =>
        new($"{Name}: It has no type '{PlainText.Show(name)}'.{Near(name, names)}", ExitCodes.Usage);

    private ToolException NoMember(Type type, string name) => new(
        $"{Name}: {PlainText.Show(type.FullName!)} has no static property, field, or method without parameters '{PlainText.Show(name)}'."
            + Near(name, type.GetMembers(Statics)
                .Where(member => member is PropertyInfo or FieldInfo or MethodInfo { IsSpecialName: false } && !member.Name.Contains('<'))
                .Select(member => member.Name)
                .Where(other => other != name)),
        ExitCodes.Usage);

    private static string Near(string name, IEnumerable<string> names)
    {
        string[] near = NearNames.Find(name, names);
        return near.Length == 0 ? "" : $" There is {PlainText.Show(string.Join(", ", near))}.";
    }

    private static Exception Innermost(Exception exception) =>
        exception is TargetInvocationException or TypeInitializationException && exception.InnerException is { } inner
            ? Innermost(inner)
            : exception;

    // What is missing, or does not fit; null for anything else.
    private ToolException? Explain(Exception exception) => exception switch
    {
        ReflectionTypeLoadException { LoaderExceptions: [{ } first, ..] } => Explain(first),
        { InnerException: ToolException inner } => inner,
        // The options may read files.
        FileNotFoundException { FileName: { } missing } when missing.Contains(", Version=", StringComparison.Ordinal) => new ToolException(
            $"{Name}: It needs {PlainText.Show(missing)}, which is neither beside it nor in .NET {Environment.Version}. "
                + "dotnet publish writes an assembly with all that it needs.",
            ExitCodes.Usage),
        BadImageFormatException => new ToolException($"{Name}: The file is no assembly of .NET, or a damaged one.", ExitCodes.Usage),
        UnsupportedTypeException => new ToolException($"{Name}: {PlainText.Show(exception.Message)}", ExitCodes.Usage),
        FileLoadException or TypeLoadException or MissingMemberException => new ToolException(
            $"{Name}: It does not fit what it needs: {PlainText.Show(exception.Message)}{Versions()}", ExitCodes.Usage),
        _ => null,
    };

    // The assembly may have been built with another release.
    private string Versions()
    {
        string own = WithoutCommit(
            typeof(Serializer).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion);
        string beside = _context.PathOfWire is { } path ? WithoutCommit(FileVersionInfo.GetVersionInfo(path).ProductVersion ?? "") : own;
        return beside == own ? ""
            : $" It comes with Wire {PlainText.Show(beside)}, and the tool has {own}: install the tool of that version.";
    }

    private static string WithoutCommit(string version) => version.Split('+')[0];
}
