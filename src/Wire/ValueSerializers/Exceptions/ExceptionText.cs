using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>
/// Checks whether the texts of an exception can be printed. Some classes of .NET build their texts from members that a payload may omit or
/// invent, and an exception that cannot be printed ends the process that logs it. The check runs on a twin, an object of the .NET class
/// with copies of the members, so that no code of the program runs, and no object that the exception refers to is printed.
/// </summary>
internal static class ExceptionText
{
    private static readonly ConditionalWeakTable<Type, Maker> Makers = [];

    /// <summary>Returns whether a class, or its .NET base class, builds its own text.</summary>
    public static bool IsMade(Type type) => GetMaker(type).MakesText;

    /// <summary>Returns whether it is a class of .NET that overrides <see cref="Exception.Message"/>.</summary>
    public static bool IsMessageOfFramework(Type type) => GetMaker(type).IsMessageOfFramework;

    /// <summary>Returns the exception that building the texts throws; null for success.</summary>
    public static Exception? Failure(Exception exception)
    {
        Maker maker = GetMaker(exception.GetType());
        return maker.MakesText ? maker.Try(exception) : null;
    }

    private static Maker GetMaker(Type type) => Makers.GetValue(type, static asked => new Maker(asked));

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("Trimming", "IL2077", Justification = TrimmingAdvice.Inside)]
    private sealed class Maker
    {
        private readonly Type? _class;
        private readonly FieldInfo[] _fields = [];

        public Maker(Type type)
        {
            IsMessageOfFramework = FrameworkAssemblies.Contains(Declaring(type, "get_Message").Assembly);

            // The text of an exception with several inner ones consists of theirs, which are checked themselves.
            _class = Below(type).FirstOrDefault(current => FrameworkAssemblies.Contains(current.Assembly) && !current.IsAbstract
                && !typeof(AggregateException).IsAssignableFrom(current));
            if (_class is not null
                && (Declaring(_class, "get_Message") != typeof(Exception) || Declaring(_class, nameof(ToString)) != typeof(Exception)))
            {
                MakesText = true;
                _fields = [.. Below(_class).SelectMany(current => current.GetFields(MemberFinder.DeclaredInstance))];
            }
        }

        public bool MakesText { get; }

        public bool IsMessageOfFramework { get; }

        public Exception? Try(Exception exception)
        {
            var twin = (Exception)RuntimeHelpers.GetUninitializedObject(_class!);
            ExceptionKind.CopyText(exception, twin);
            foreach (FieldInfo field in _fields)
            {
                field.SetValue(twin, Harmless(field, field.GetValue(exception)));
            }

            try
            {
                _ = twin.Message;
                _ = twin.ToString();
                return null;
            }
            catch (Exception e) when (ThrowHelper.MayBeOfBytes(e))
            {
                return e;
            }
        }

        // Native code may hide that of a class of .NET, which then is taken to have one.
        [DynamicDependency("get_Message", typeof(Exception))]
        [DynamicDependency(nameof(ToString), typeof(Exception))]
        private static Type Declaring(Type type, string method) => type.GetMethod(method, [])?.DeclaringType ?? type;

        private static IEnumerable<Type> Below(Type type) => type.WithBases().TakeWhile(current => current != typeof(Exception));

        // Objects of the program would run their ToString, and exceptions print everything inside them.
        private static object? Harmless(FieldInfo field, object? value) => value switch
        {
            null or Exception => null,
            Exception?[] several => new Exception?[several.Length],
            string or Type => value,
            _ when field.FieldType.IsValueType || value.GetType().IsPrimitive => value,
            _ when field.FieldType == typeof(object) => null,
            _ => FrameworkAssemblies.Contains(value.GetType().Assembly) ? value : null,
        };
    }
}
