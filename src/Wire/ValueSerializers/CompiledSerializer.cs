using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Compilation.Emit;
using Wire.Copying;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;

namespace Wire.ValueSerializers;

/// <summary>
/// A value serializer whose code is compiled for the second value, and that which reads a class for the third: the first ones use
/// reflection, which is faster than emitting and compiling code, and many types occur once. A foreign schema has its own serializer, so
/// that matching schemas pay nothing for it.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal abstract class CompiledSerializer<T> : ValueSerializer<T>, IObjectCode, IPreparable
{
    // The foreign schema, which is read by reflection at first; null for the type's own.
    private readonly ForeignCode? _foreign;

    // The code for a value type takes the variable, that for a class the object.
    private ObjectWriter? _write;
    private ObjectReader? _read;
    private BodyWriter? _writeBody;
    private BodyReader? _readBody;
    private Delegate? _interpreted;
    private ObjectCopier<T> _copy;
    private bool _isPrepared;

    /// <param name="registry">The registry of the serializer's types, which has the compiler.</param>
    /// <param name="foreign">The schema to read, if it differs from the type's own.</param>
    protected CompiledSerializer(TypeRegistry registry, Shape? foreign)
    {
        Registry = registry;
        _copy = CopyFirst;
        _foreign = foreign is null ? null : new ForeignCode(foreign, registry.ForeignCompilations);
        if (typeof(T).IsValueType)
        {
            _write = WriteFirst;
            _read = foreign is null ? ReadFirst : ReadForeign;
        }
        else
        {
            _writeBody = WriteFirstBody;
            _readBody = foreign is null ? ReadFirstBody : ReadForeignBody;
        }
    }

    protected TypeRegistry Registry { get; }

    public sealed override void Write(ref WireWriter writer, T value)
    {
        if (typeof(T).IsValueType)
        {
            _write!(ref writer, ref Unsafe.As<T, byte>(ref value));
        }
        else
        {
            _writeBody!(ref writer, value!);
        }
    }

    public sealed override T Read(ref WireReader reader)
    {
        if (typeof(T).IsValueType)
        {
            T value = default!;
            _read!(ref reader, ref Unsafe.As<T, byte>(ref value));
            return value;
        }

        object read = _readBody!(ref reader);
        return Unsafe.As<object, T>(ref read);
    }

    internal sealed override void WriteObject(ref WireWriter writer, object value)
    {
        if (typeof(T).IsValueType)
        {
            Write(ref writer, (T)value);
        }
        else
        {
            // The cast is the check: the code treats any argument as a T.
            _writeBody!(ref writer, (T)value!);
        }
    }

    internal sealed override object ReadObject(ref WireReader reader) => typeof(T).IsValueType ? Read(ref reader)! : _readBody!(ref reader);

    public BodyWriter? CompileBodyWriter() => typeof(T).IsValueType
        ? null
        : BodyWriter ??= _writeBody = (BodyWriter)CompileWriter(TypeCompilers.For(Registry.Options));

    bool IObjectCode.IsInterpreted => _foreign is { IsCompiled: false };

    public virtual FlatType? FlatType => null;

    public BodyReader? CompileBodyReader() => typeof(T).IsValueType || IsInterpreted
        ? null
        : BodyReader ??= _readBody = (BodyReader)CompileReader(TypeCompilers.For(Registry.Options));

    internal sealed override T Copy(ref GraphCopier copier, T value) => _copy(ref copier, value);

    internal sealed override void WriteAt(ref WireWriter writer, ref byte variable)
    {
        if (typeof(T).IsValueType)
        {
            _write!(ref writer, ref variable);
        }
        else
        {
            _writeBody!(ref writer, Unsafe.As<byte, object>(ref variable));
        }
    }

    internal sealed override void ReadAt(ref WireReader reader, ref byte variable)
    {
        if (typeof(T).IsValueType)
        {
            _read!(ref reader, ref variable);
        }
        else
        {
            Unsafe.As<byte, object>(ref variable) = _readBody!(ref reader);
        }
    }

    internal sealed override object CopyObject(ref GraphCopier copier, object value)
    {
        if (typeof(T).IsValueType)
        {
            return Copy(ref copier, (T)value)!;
        }

        // The entry of the object's type led here.
        return _copy(ref copier, Unsafe.As<object, T>(ref value))!;
    }

    public BodyWriter? InterpretBodyWriter() =>
        BodyWriter ?? (typeof(T).IsValueType ? null : (BodyWriter)CompileWriter(TypeCompilers.Interpreter));

    public BodyReader? InterpretBodyReader() =>
        BodyReader ?? (typeof(T).IsValueType ? null : (BodyReader)CompileReader(TypeCompilers.Interpreter));

    public void Prepare()
    {
        if (_isPrepared)
        {
            return;
        }

        if (typeof(T).IsValueType)
        {
            ObjectWriter write = OneLevelDown((ObjectWriter)CompileWriter(TypeCompilers.For(Registry.Options)));
            ObjectReader read = OneLevelDown((ObjectReader)CompileReader(TypeCompilers.For(Registry.Options)));
            RuntimeHelpers.PrepareDelegate(write);
            RuntimeHelpers.PrepareDelegate(read);
            (_write, _read) = (write, read);
        }
        else
        {
            RuntimeHelpers.PrepareDelegate(CreateBodyWriter());
            RuntimeHelpers.PrepareDelegate(CreateBodyReader());
            Leaf?.PrepareObjects();
        }

        _isPrepared = true;
    }

    // In place, without a copy. The value is discarded when a part of it fails.
    internal sealed override void WriteMany(ref WireWriter writer, ReadOnlySpan<T> values)
    {
        if (!typeof(T).IsValueType)
        {
            base.WriteMany(ref writer, values);
            return;
        }

        int member = writer.Member;
        for (int i = 0; i < values.Length; i++)
        {
            writer.Member = ~i;
            _write!(ref writer, ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in values[i])));
        }

        writer.Member = member;
    }

    internal sealed override void ReadMany(ref WireReader reader, Span<T> values, int start)
    {
        if (!typeof(T).IsValueType)
        {
            base.ReadMany(ref reader, values, start);
            return;
        }

        int member = reader.Member;
        for (int i = 0; i < values.Length; i++)
        {
            reader.Member = ~(start + i);
            _read!(ref reader, ref Unsafe.As<T, byte>(ref values[i]));
        }

        reader.Member = member;
    }

    protected abstract Delegate CompileWriter(ITypeCompiler compiler);

    protected abstract Delegate CompileReader(ITypeCompiler compiler);

    protected abstract Delegate CompileCopier(ITypeCompiler compiler);

    private T CopyFirst(ref GraphCopier copier, T value)
    {
        _copy = CompileAndCopy;
        return OneLevelDown((ObjectCopier<T>)CompileCopier(TypeCompilers.Interpreter))(ref copier, value);
    }

    private T CompileAndCopy(ref GraphCopier copier, T value)
    {
        _copy = OneLevelDown((ObjectCopier<T>)CompileCopier(TypeCompilers.For(Registry.Options)));
        return _copy(ref copier, value);
    }

    // The next value, even inside this one, uses compiled code.
    private void WriteFirst(ref WireWriter writer, ref byte location)
    {
        _write = CompileAndWrite;
        OneLevelDown((ObjectWriter)CompileWriter(TypeCompilers.Interpreter))(ref writer, ref location);
    }

    private void ReadFirst(ref WireReader reader, ref byte location)
    {
        _read = CompileAndRead;
        OneLevelDown((ObjectReader)CompileReader(TypeCompilers.Interpreter))(ref reader, ref location);
    }

    private void WriteFirstBody(ref WireWriter writer, object value)
    {
        _writeBody = CompileAndWriteBody;
        ((BodyWriter)CompileWriter(TypeCompilers.Interpreter))(ref writer, value);
    }

    private object ReadFirstBody(ref WireReader reader)
    {
        _interpreted = CompileReader(TypeCompilers.Interpreter);
        _readBody = ReadSecondBody;
        return ((BodyReader)_interpreted)(ref reader);
    }

    // With the second message comes its plan, whose flat code is often all that is needed.
    private object ReadSecondBody(ref WireReader reader)
    {
        _readBody = CompileAndReadBody;
        return InterpretedReader(ref reader);
    }

    private void CompileAndWrite(ref WireWriter writer, ref byte location)
    {
        ObjectWriter compiled = OneLevelDown((ObjectWriter)CompileWriter(TypeCompilers.For(Registry.Options)));
        _write = compiled;
        compiled(ref writer, ref location);
    }

    private void CompileAndRead(ref WireReader reader, ref byte location)
    {
        ObjectReader compiled = OneLevelDown((ObjectReader)CompileReader(TypeCompilers.For(Registry.Options)));
        _read = compiled;
        _interpreted = null;
        compiled(ref reader, ref location);
    }

    private void ReadForeign(ref WireReader reader, ref byte location)
    {
        if (_foreign!.IsWorthCompiling())
        {
            CompileAndRead(ref reader, ref location);
            return;
        }

        ((ObjectReader)(_interpreted ??= OneLevelDown((ObjectReader)CompileReader(TypeCompilers.Interpreter))))(ref reader, ref location);
        _foreign.Count(reader.Session);
    }

    private void CompileAndWriteBody(ref WireWriter writer, object value)
    {
        CreateBodyWriter()(ref writer, value);
    }

    private object CompileAndReadBody(ref WireReader reader)
    {
        var compiled = (BodyReader)CompileReader(TypeCompilers.For(Registry.Options));
        BodyReader = _readBody = compiled;
        _interpreted = null;
        return compiled(ref reader);
    }

    private object ReadForeignBody(ref WireReader reader)
    {
        if (_foreign!.IsWorthCompiling())
        {
            return CompileAndReadBody(ref reader);
        }

        object value = ((BodyReader)(_interpreted ??= CompileReader(TypeCompilers.Interpreter)))(ref reader);
        _foreign.Count(reader.Session);
        return value;
    }

    // An object has entered a level of the path already; of values inside others, only those that can contain their own type can nest
    // deeply.
    private bool IsLevel => (_foreign?.Schema ?? Registry.Shape(this)).NestsInline;

    private ObjectWriter OneLevelDown(ObjectWriter write) => !IsLevel ? write : (ref WireWriter writer, ref byte location) =>
    {
        GraphPath path = writer.Session.Path;
        bool hasStack = path.Enter(writer.Member);
        writer.Member = GraphPath.Root;
        if (hasStack)
        {
            write(ref writer, ref location);
        }
        else
        {
            FreshStack.Write(ref writer, write, ref location);
        }

        writer.Member = path.Exit();
    };

    private ObjectReader OneLevelDown(ObjectReader read) => !IsLevel ? read : (ref WireReader reader, ref byte location) =>
    {
        GraphPath path = reader.Session.Path;
        bool hasStack = path.Enter(reader.Member);
        reader.Member = GraphPath.Root;
        if (hasStack)
        {
            read(ref reader, ref location);
        }
        else
        {
            FreshStack.Read(ref reader, read, ref location);
        }

        reader.Member = path.Exit();
    };

    private ObjectCopier<T> OneLevelDown(ObjectCopier<T> copy) => !typeof(T).IsValueType || !IsLevel
        ? copy
        : (ref GraphCopier copier, T value) =>
        {
            int member = copier.Enter();
            T made = copy(ref copier, value);
            copier.Exit(member);
            return made;
        };
}
